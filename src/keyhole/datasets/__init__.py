"""Data sets: generated streams, and files that are loaded."""

from .blogfeedback import BlogFeedback, blogfeedback
from .covertype import covertype
from .ct_slices import CTSlices, ct_slices
from .hard import one_good_attribute, one_sign_per_example, signs, three_signs
from .judgments import FaceJudgments, face_judgments
from .league import LeagueSource, LeagueTable, league_table, league_tables
from .mnist import mnist_pair
from .murata_suzuki import MurataSuzuki, murata_suzuki
from .one_sign import OneSign
from .streams import Stream
from .synthetic import improvement_ratios, kukliansky_shamir
from .two_valued import TwoValued

__all__ = [
    "BlogFeedback",
    "CTSlices",
    "FaceJudgments",
    "LeagueSource",
    "LeagueTable",
    "MurataSuzuki",
    "OneSign",
    "Stream",
    "TwoValued",
    "blogfeedback",
    "covertype",
    "ct_slices",
    "face_judgments",
    "improvement_ratios",
    "kukliansky_shamir",
    "league_table",
    "league_tables",
    "mnist_pair",
    "murata_suzuki",
    "one_good_attribute",
    "one_sign_per_example",
    "signs",
    "three_signs",
]

"""What the figures have in common: budgets, digits, how learners were run, and the comparison with AER."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...datasets import mnist_pair
from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import Claim, Experiment, Rows
from ..shared.comparing import better, final, in_words, summary
from ..shared.mnist_figures import draw_both_axes
from ..shared.mnist_grids import AT_AN_END, EVEN, PRINTED, UNTUNED
from ..shared.mnist_tasks import curve_tasks
from ..shared.reference_lines import CUT_SHORT, SLOW

PAIR = [3, 5]
LITTLE, MUCH = 4, 56  # pixels of an image

HOW = (
    "MNIST, 3 against 5; a tenth of the images is for testing. Settings are chosen by cross-validation on whole"
    " training rows, as in the paper, which uses cells that a learner under a budget could not see; 'untuned' has"
    f" settings that were fixed in advance on other data. {AT_AN_END} 'As printed' follows the papers: raw pixels"
    " without an intercept, a constant step (for AER regularisation), and in AERR and AELR one draw for the inner"
    " product and all others for x. 'Even draws' differs from it in the division of the budget, half for each. The"
    " others divide the budget evenly too, centre and scale by running estimates from revealed cells, and may take"
    " anytime steps."
    " Learners with every cell are tuned on all training rows. Error bars are standard errors over splits; above the"
    " grey line at 1 a learner is worse than predicting 0."
)


def needs_mnist() -> object:
    """Raise FileNotFoundError where MNIST is missing."""
    return mnist_pair(*PAIR)


def curve_figure(
    name: str,
    title: str,
    lines: list[str],
    budget: int,
    full: list[str],
    claims: Callable[[Rows], list[Claim]],
    about: str = "",
    claims_about: str = THE_PAPER,
) -> Experiment:
    """A figure with these lines and the first learner with every cell at the left, and all others at the right."""
    untuned = [f"{line}, {UNTUNED}" for line in dict.fromkeys(line.split(",")[0] for line in lines)]
    return Experiment(
        name=name,
        title=title,
        tasks=curve_tasks([*lines, *untuned], budget, full),
        table=lambda rows: summary(rows, budget),
        claims=claims,
        draw=lambda rows, figure: draw_both_axes(rows, figure, [*lines, full[0]], budget, "the paper's algorithms"),
        caption="Test squared error, mean over splits, against training examples (above) and against revealed"
        f" attributes (below); {budget} pixels of each training image may be revealed. Bars are standard"
        " errors. Predicting 0 has the error 1.",
        about=f"{HOW} {CUT_SHORT} {SLOW} {about}".strip(),
        needs=needs_mnist,
        figure_size=(11.0, 10.0),
        claims_about=claims_about,
    )


def below_aer(name: str, rows: Rows) -> list[Claim]:
    """Lower than AER at the end and at every prefix: as printed, and in two other forms, which are not counted."""
    claims = []
    for how, mine, aer, reason in (
        ("as printed", f"{name}, {PRINTED}", f"AER, {PRINTED}", _one_draw(rows, name)),
        ("raw pixels, even draws", f"{name}, {EVEN}", f"AER, {PRINTED}", ""),
        ("running scales", name, "AER", _gains(rows, name)),
    ):
        text, ends = f"{name} ends below AER ({how}).", (final(rows, mine), final(rows, aer))
        about = THE_PAPER if how == "as printed" else OTHER_FORM
        claims.append(better(text, "lower, by a clear margin", (name, "AER"), *ends, otherwise=reason, about=about))
        lengths = sorted({int(row["examples"]) for row in rows if row["learner"] == mine})
        means = {n: [_mean_at(rows, which, n) for which in (mine, aer)] for n in lengths}
        higher = [f"{n:,}" for n in lengths if means[n][0] >= means[n][1]]
        claims.append(
            Claim.with_verdict(
                f"{name} is below AER along the entire run ({how}).",
                "at every prefix",
                f"at {len(lengths) - len(higher)} of {len(lengths)} prefixes",
                not higher,
                otherwise=f"It is not below at {', '.join(higher)} examples. {reason}".strip(),
                about=about,
            )
        )
    return claims


def _one_draw(rows: Rows, name: str) -> str:
    """What the division of the budget does."""
    printed, even = in_words(final(rows, f"{name}, {PRINTED}")), in_words(final(rows, f"{name}, {EVEN}"))
    return (
        f"As printed, {name} estimates the inner product from a single draw, while AER uses half of its budget for it."
        f" With even draws, which the paper does not mention, its error is {even} instead of {printed}."
    )


def _gains(rows: Rows, name: str) -> str:
    """What scaling does for each learner, and their order without tuning."""
    forms = {
        which: [f"{which}, {raw}", which, f"{which}, {UNTUNED}"] for which, raw in (("AER", PRINTED), (name, EVEN))
    }
    if not all(final(rows, form) for mine in forms.values() for form in mine):
        return ""
    errors = {which: [in_words(final(rows, form)) for form in mine] for which, mine in forms.items()}
    gains = ", ".join(f"that of {which} from {raw} to {scaled}" for which, (raw, scaled, _) in errors.items())
    return (
        f"Scaling changes the error, {gains}; AER's regularisation then adapts to the gradients, while the paper's is"
        f" constant. Untuned, {name} has an error of {errors[name][2]} and AER one of {errors['AER'][2]}."
    )


def _mean_at(rows: Rows, learner: str, examples: int) -> float:
    return float(np.mean([row["error"] for row in rows if row["learner"] == learner and row["examples"] == examples]))

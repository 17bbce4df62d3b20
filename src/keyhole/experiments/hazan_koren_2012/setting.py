"""What the figures have in common: budgets, digits, how learners were run, and the comparison with AER."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...datasets import mnist_pair
from ..runner.paper import Claim, Experiment, Rows
from ..shared.comparing import better, final, in_words, summary
from ..shared.mnist_curves import PRINTED, UNTUNED
from ..shared.mnist_figures import draw_both_axes
from ..shared.mnist_tasks import curve_tasks
from ..shared.reference_lines import CUT_SHORT, SLOW

PAIR = [3, 5]
LITTLE, MUCH = 4, 56  # pixels of an image

HOW = (
    "MNIST, 3 against 5; a tenth of the images is for testing. Settings are chosen by cross-validation on whole"
    " training rows, as in the paper, which uses cells that a learner under a budget could not see; 'untuned' has"
    " settings that were fixed in advance on other data. 'As printed' is raw pixels without an intercept and a constant"
    " step (for AER regularisation); the others centre and scale by running estimates from revealed cells and may take"
    " anytime steps. Learners with every cell are tuned on all training rows. Error bars are standard errors over"
    " splits; above the grey line at 1 a learner is worse than predicting 0."
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
        about=f"{HOW} {CUT_SHORT} {SLOW} {about}".strip(),
        needs=needs_mnist,
        figure_size=(11.0, 10.0),
    )


def below_aer(name: str, rows: Rows) -> list[Claim]:
    """Lower than AER at the end and at every prefix, as printed and with running scales."""
    claims = []
    for how, end in ((" (raw pixels, as printed)", f", {PRINTED}"), (" (running scales)", "")):
        mine, aer = f"{name}{end}", f"AER{end}"
        ends = final(rows, mine), final(rows, aer)
        gain = "" if end else _gains(rows, name)
        text = f"{name} ends below AER{how}."
        claims.append(better(text, "lower, by a clear margin", (name, "AER"), *ends, otherwise=gain))
        lengths = sorted({int(row["examples"]) for row in rows if row["learner"] == mine})
        means = {n: [_mean_at(rows, which, n) for which in (mine, aer)] for n in lengths}
        higher = [f"{n:,}" for n in lengths if means[n][0] >= means[n][1]]
        claims.append(
            Claim.with_verdict(
                f"{name} is below AER along the entire run{how}.",
                "at every prefix",
                f"at {len(lengths) - len(higher)} of {len(lengths)} prefixes",
                not higher,
                otherwise=f"It is not below at {', '.join(higher)} examples. {gain}".strip(),
            )
        )
    return claims


def _gains(rows: Rows, name: str) -> str:
    """What scaling does for each learner, and their order without tuning."""
    ends = (f", {PRINTED}", "", f", {UNTUNED}")
    if not all(final(rows, f"{which}{end}") for which in ("AER", name) for end in ends):
        return ""
    forms = {which: [in_words(final(rows, f"{which}{end}")) for end in ends] for which in ("AER", name)}
    gains = ", ".join(f"that of {which} from {printed} to {scaled}" for which, (printed, scaled, _) in forms.items())
    return (
        f"Scaling changes the error, {gains}; AER's regularisation then adapts to the gradients, while the paper's is"
        f" constant. Untuned, {name} has an error of {forms[name][2]} and AER one of {forms['AER'][2]}."
    )


def _mean_at(rows: Rows, learner: str, examples: int) -> float:
    return float(np.mean([row["error"] for row in rows if row["learner"] == learner and row["examples"] == examples]))

"""What a study says of itself: counts, history, reasons, whether it is enough, and the paragraph for the protocol."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..common.wording import listed
from .asks import StudyAsk, moment
from .money import amount

if TYPE_CHECKING:
    from .answering import Answering

SHOWN = 12


def status(study: Answering) -> dict[str, Any]:
    """Counts, money, and what waits for somebody."""
    with study.store.snapshot(study.record) as now:
        counts, committed, expired = now.counts, now.committed, now.expired()
        models, designs, seq, error = now.models(), now.designs(), now.seq, now.renewal_error
    total = study.record.settings["total"]
    whole = [design for design in designs if design.parent is None]
    return {
        "study": study.name,
        "examples": counts["n_examples"],
        "queued": counts["n_examples"] - counts["n_asked"],
        "asked": counts["n_asked"] - counts["n_done"],
        "expired leases": expired,
        "done": counts["n_done"],
        "values": counts["n_values"],
        "not obtainable": counts["n_not_obtainable"],
        "conflicts": counts["n_conflicts"],
        "labels": counts["n_labelled"],
        "learned from": counts["n_learnable"],
        "spent or reserved": amount(committed),
        "total": total,
        "left": None if total is None else float(total) - amount(committed),
        "design": whole[-1].number,
        "model": models[-1].number if models else None,
        "next design at": whole[-1].next_renewal,
        "last renewal failed": error,
        "events": seq,
    }


def history(study: Answering) -> list[dict[str, Any]]:
    """The models of all renewals."""
    with study.store.snapshot(study.record) as now:
        models = now.models()
    return [
        {
            "model": one.number,
            "made at": moment(one.made_at),
            "examples": one.n_examples,
            "spent or reserved": amount(one.summary.get("committed", one.committed)),
            "error": one.summary.get("error"),
            "standard error": one.summary.get("standard_error"),
            "attributes": one.summary.get("attributes"),
            "family": one.summary.get("family"),
            "events": one.watermark,
            "fingerprint": one.summary["fingerprint"],
            "keyhole": one.summary["keyhole"],
        }
        for one in models
    ]


def enough(study: Answering, target: float) -> Any:
    """How many more examples reach a target."""
    from ..planning import more_examples

    return more_examples(study.model(), target)


def conflicts(study: Answering) -> list[dict[str, Any]]:
    """What waits for a correction."""
    with study.store.snapshot(study.record) as now:
        found = now.conflicts()
    for one in found:
        if one["attribute"] is not None:
            one["attribute"] = study.attributes[one["attribute"]].name
        one["told"] = [
            {
                "value": told["number"] if told["text"] is None else told["text"],
                "person": told["person"],
                "at": moment(told["at"]),
            }
            for told in one["told"]
        ]
    return found


def why(study: Answering, ask: StudyAsk) -> str:
    """The design of an ask in words."""
    with study.store.snapshot(study.record) as now:
        model = next((one for one in now.models() if one.number == ask.model), None)
    useful = None if model is None else model.summary.get("usefulness")
    lines = [
        f"Ask {ask.id}, example {ask.example}, design {ask.design}: "
        + (
            "the uniform design of the beginning, before anything was learned."
            if model is None
            else f"drawn by what model {model.number} learned from {model.n_examples:,} examples."
        )
    ]
    numbers = {a.name: i for i, a in enumerate(study.attributes)}
    for one in ask.attributes:
        line = f"{one.name}: inclusion probability {one.probability:.3g}, cost {one.cost:g}"
        if useful is not None:
            line += f", weight in the model {useful[numbers[one.name]]:.3g} standard deviations of the label"
        lines.append(line)
    return "\n".join(lines)


def protocol(study: Answering) -> str:
    """The paragraph on methods."""
    settings, attributes = study.record.settings, study.attributes
    with study.store.snapshot(study.record) as now:
        models, designs = now.models(), now.designs()
    paid = [a for a in attributes if not a.free]
    free = [a.name for a in attributes if a.free]
    costs = sorted({float(a.cost) for a in paid})
    unit = "attributes" if costs == [1.0] and not any(a.bundle for a in paid) else "units of cost"
    sentences = [
        f"Of each example at most {settings['most']:g} {unit} were asked for, out of {len(paid)} attributes"
        f" ({listed([a.name for a in paid], SHOWN)})."
    ]
    if unit == "units of cost":
        sentences.append(
            f"Costs lie between {costs[0]:g} and {costs[-1]:g}; attributes of one bundle are paid for once."
        )
    if free:
        sentences.append(f"Always recorded, at no cost: {listed(free, SHOWN)}.")
    if settings["total"] is not None:
        sentences.append(f"The total for all examples was {float(settings['total']):g} {unit}.")
    sentences.append(
        "The attributes of an example were drawn at random before any of its values was known, by conditional Poisson"
        " sampling with the inclusion probabilities that are recorded with every ask, and the draw of an example is a"
        " function of the seed, the number of the example and the design alone."
    )
    renewals = len(models)
    sentences.append(
        "The first design is uniform over attributes of equal cost; later ones have larger probabilities for attributes"
        " with larger weights in the model so far, and all probabilities stay positive."
        + (f" So far {renewals} {'design' if renewals == 1 else 'designs'} followed the first." if renewals else "")
    )
    if settings["forbidden"]:
        pairs = "; ".join(" with ".join(pair) for pair in settings["forbidden"])
        sentences.append(f"These pairs were never asked of the same example: {pairs}.")
    needing = [f"{a.name} only with {' and '.join(a.requires)}" for a in attributes if a.requires]
    if needing:
        sentences.append(f"Asked for: {'; '.join(needing)}.")
    left_out = sum(design.parent is not None for design in designs)
    if left_out:
        by_rules = ", or left out by these rules" if settings["forbidden"] or needing else ""
        sentences.append(
            f"For some examples certain attributes were unavailable or known before{by_rules}; their"
            f" draws follow the same design, given that ({left_out} such {'design' if left_out == 1 else 'designs'})."
        )
    sentences.append(
        f"The predictor is Keyhole's {settings['learner']}, learned from all values with their inclusion probabilities."
        f" Seed {settings['seed']}, Keyhole {settings['keyhole']}."
    )
    return " ".join(sentences)


def finite(value: Any) -> Any:
    """A value that JSON can hold."""
    return None if isinstance(value, float) and not math.isfinite(value) else value

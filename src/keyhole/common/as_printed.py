"""The algorithm exactly as its paper prints it, for every learner that a paper describes.

A published learner states, once, what makes it the printed algorithm: ``printed_parameters``, the parameters whose
defaults differ from the print, and ``printed_needs``, the parameters of which the print needs at least one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from .parameters import ParameterError


class AsPrinted:
    """Mixed into published learners: the printed algorithm, from the parameters that its paper leaves to the user."""

    # The parameters that make the learner the printed algorithm, with their values.
    printed_parameters: ClassVar[Mapping[str, Any]] = {}
    # The parameters of which the printed algorithm needs at least one, such as the step size or what it follows from.
    printed_needs: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def as_printed(cls, budget: int, **inputs: Any) -> Self:
        """Make the algorithm exactly as its paper prints it.

        The class attribute ``printed_parameters`` holds the parameters that this sets; the Notes of the class say what
        they are and which slips of the print are corrected.

        Parameters
        ----------
        budget : int
            The most attributes of one training example that may be revealed, or judgments of one object.
        **inputs : object
            The parameters that the paper leaves to the user, by their names in the constructor, such as ``radius``,
            ``n_expected`` or ``random_state``.

        Returns
        -------
        Self
            An unfitted learner of the same class.

        Raises
        ------
        ParameterError
            If an input is one that the print fixes, or if none is given of those that the print needs one of.
        """
        for name in cls.printed_parameters.keys() & inputs.keys():
            fixed = cls.printed_parameters[name]
            message = f"{cls.__name__} as printed has {name}={fixed!r}; leave it out, or use the constructor"
            raise ParameterError(name, message, inputs[name])
        if cls.printed_needs and all(inputs.get(name) is None for name in cls.printed_needs):
            choices = " or ".join(cls.printed_needs)
            raise ParameterError(cls.printed_needs[0], f"{cls.__name__} as printed needs {choices}")
        learner: Any = cls
        printed: Self = learner(budget=budget, **cls.printed_parameters, **inputs)
        return printed

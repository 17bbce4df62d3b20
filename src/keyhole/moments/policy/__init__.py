"""Which attributes to reveal: what can be bought within the budget, and the designs that draw it."""

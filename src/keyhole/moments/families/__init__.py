"""The kinds of model that Keyhole's own learner may keep, and the selection among them.

``family.py`` says what a family is, ``registry.py`` lists them, ``selection.py`` selects one.
"""

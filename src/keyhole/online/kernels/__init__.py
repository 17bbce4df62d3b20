"""The compiled kernels of the streaming learners, and what they share."""

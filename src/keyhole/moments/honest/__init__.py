"""Honest risk: errors on held-out rows, from revealed cells alone, by inverse inclusion probabilities."""

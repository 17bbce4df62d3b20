"""What several papers use: protocols, sweeps of settings, learners with every cell, reference lines, comparisons."""

"""The picture is drawn, with the colours that learners have in every figure."""

import matplotlib.image
import numpy as np
from matplotlib.figure import Figure

from keyhole.common.style import learner_colour
from keyhole.demo import models, picture


def test_the_picture_is_drawn(shown):
    image = matplotlib.image.imread(shown[1])
    assert image.shape[0] > 800
    assert image.shape[1] > 1200
    assert np.std(image) > 0.1


def test_each_model_has_its_colour(shown):
    axes = Figure().subplots()
    rows = shown[0]["digits"]
    picture._draw_errors(models.data_sets()[0], rows, axes)
    drawn = [container.lines[0].get_color() for container in axes.containers]
    assert drawn == [learner_colour(row.name) for row in rows]
    assert len(set(drawn)) == len(rows) - 1  # one total is another way to use the own learner

"""Small pictures of large ones."""


def make_thumbnail(picture, width: int = 128):
    """Scales a picture down and keeps its aspect ratio."""
    height = max(1, round(picture.height * width / picture.width))
    return picture.resize((width, height))

"""Pictures of screens, compared with those that were looked at."""

import io
import os

from PIL import Image, ImageChops, ImageFilter

# Pictures are compared small and soft, so that a date or the smoothing of a letter is no difference.
SIZE = (320, 215)
DIFFERENCE = 24
MOST_DIFFERENT = 0.02


class Pictures:
    """A folder that pictures are left in, and another with what they should look like."""

    def __init__(self, folder, wanted):
        self.folder = folder
        self.wanted = wanted
        self.count = 0
        self.failures = []
        os.makedirs(folder, exist_ok=True)

    def take(self, driver, name):
        self.count += 1
        picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
        picture.save(f"{self.folder}/{self.count:02}-{name}.png")
        small = picture.resize(SIZE, Image.Resampling.LANCZOS)
        small.save(f"{self.folder}/small-{name}.png")
        path = f"{self.wanted}/{name}.png"
        if os.path.exists(path):
            self.compare(name, small, Image.open(path).convert("RGB"))

    def compare(self, name, small, wanted):
        soft = [image.filter(ImageFilter.BoxBlur(1)) for image in (small, wanted)]
        histogram = ImageChops.difference(*soft).convert("L").histogram()
        share = sum(histogram[DIFFERENCE:]) / sum(histogram)
        if share > MOST_DIFFERENT:
            self.failures.append(f"{name}: {share:.1%} of the picture differs")

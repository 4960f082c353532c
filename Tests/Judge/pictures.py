"""Pictures of vector tiles beside those of MapLibre Native, compared among inked pixels.

    python pictures.py ../shared/samples

Prints the share of the ink that differs by more than 64 of 255, at several zooms, ratios and
bearings, and ends with status 1 if one is greater than its limit.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import mapli
import numpy
from PIL import Image

PORTOLAN = os.environ["PORTOLAN"]
SIZE = (600, 450)
# The share that may differ, by the ratio.
LIMITS = {1: 0.05, 2: 0.1}


def portolan(*arguments):
    done = subprocess.run([PORTOLAN, *map(str, arguments)], capture_output=True, text=True)
    # 3: something is reported, such as a style that a format has no place for.
    assert done.returncode in (0, 3), done.stderr or done.stdout


def pixels(path):
    image = Image.open(path).convert("RGBA")
    ground = Image.new("RGBA", image.size, (255, 255, 255, 255))
    ground.alpha_composite(image)
    return numpy.asarray(ground.convert("RGB")).astype(int)


def difference(ours, theirs):
    """The share of the pixels that are ink in either picture."""
    ours, theirs = pixels(ours), pixels(theirs)
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    colors, counts = numpy.unique(theirs.reshape(-1, 3), axis=0, return_counts=True)
    ground = colors[counts.argmax()]
    ink = (abs(ours - ground).max(axis=2) > 8) | (abs(theirs - ground).max(axis=2) > 8)
    assert ink.any(), "both pictures are empty"
    return (abs(ours - theirs).max(axis=2) > 64).sum() / ink.sum()


class Sample:
    """Tiles, and the style that both draw."""

    def __init__(self, file, center, zooms, folder, style=None):
        self.file, self.center, self.zooms, self.folder = file, center, zooms, folder
        self.own_style = style
        self.style = style and json.loads(json.dumps(style))
        tiles = file
        if file.suffix == ".vtpk":
            tiles = folder / f"{file.stem}.pmtiles"
            portolan("convert", file, tiles)
            self.style = self.style_of_package()
        for name in self.style["sources"]:
            self.style["sources"][name] = {"type": "vector", "url": f"pmtiles://file://{tiles}"}

    def style_of_package(self):
        resources = self.folder / self.file.stem
        with zipfile.ZipFile(self.file) as package:
            package.extractall(resources)
        root = next(resources.rglob("styles/root.json"))
        style = json.loads(root.read_text())
        base = f"file://{root.parent.parent}"
        style["sprite"] = f"{base}/sprites/sprite"
        style["glyphs"] = base + "/fonts/{fontstack}/{range}.pbf"
        return style

    def ours(self, path, zoom, ratio, bearing):
        scale = 156543.03392804097 / 2 ** (zoom + 1) / 0.0254 * 96
        styled = []
        if self.own_style:
            file = self.folder / "style.json"
            file.write_text(json.dumps(self.own_style))
            styled = ["--style", file]
        portolan(
            "snapshot", path, "--map", self.file, "--scale", scale, "--at",
            "{},{}".format(*self.center), "--size", "{}x{}".format(*SIZE), "--ratio", ratio,
            "--rotation", bearing, "--yes", "--home", self.folder / "home", *styled,
        )

    def theirs(self, path, zoom, ratio, bearing):
        pool = mapli.RenderPool(1)
        pool.register_style("style", json=json.dumps(self.style))
        path.write_bytes(pool.render(
            "style", lon=self.center[0], lat=self.center[1], zoom=zoom, width=SIZE[0],
            height=SIZE[1], pixel_ratio=ratio, bearing=bearing,
        ))

    def compared(self):
        """Whether all pictures agree."""
        agree = True
        for zoom in self.zooms:
            for ratio, limit in LIMITS.items():
                for bearing in (0, 30):
                    ours, theirs = self.folder / "ours.png", self.folder / "theirs.png"
                    self.ours(ours, zoom, ratio, bearing)
                    self.theirs(theirs, zoom, ratio, bearing)
                    share = difference(ours, theirs)
                    note = "" if share <= limit else "  MORE THAN " + str(limit)
                    agree = agree and not note
                    print(f"{self.file.name} zoom {zoom} ratio {ratio} bearing {bearing}: "
                          f"{share:.4f}{note}", flush=True)
        return agree


def plain(layer):
    """Areas and lines of a layer, in a style of no package."""
    common = {"source": "tiles", "source-layer": layer}
    return {
        "version": 8,
        "sources": {"tiles": {"type": "vector"}},
        "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#fff"}},
            {"id": "areas", "type": "fill", "paint": {"fill-color": "#7ab"}, **common},
            {"id": "lines", "type": "line",
             "paint": {"line-color": "#234", "line-width": 3, "line-dasharray": [3, 2]}, **common},
        ],
    }


def heat(layer):
    """The vertices of areas as heat, above buildings of no height."""
    common = {"source": "tiles", "source-layer": layer}
    return {
        "version": 8,
        "sources": {"tiles": {"type": "vector"}},
        "light": {"intensity": 0.4, "color": "#ffe"},
        "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#fff"}},
            {"id": "roofs", "type": "fill-extrusion",
             "paint": {"fill-extrusion-color": "#a65", "fill-extrusion-opacity": 0.6}, **common},
            {"id": "heat", "type": "heatmap",
             "paint": {"heatmap-radius": 20, "heatmap-weight": 0.5, "heatmap-opacity": 0.8},
             **common},
        ],
    }


def main():
    samples = pathlib.Path(sys.argv[1]).resolve()
    rows = [
        ("tile-packages/dodge_city.vtpk", (-100.017, 37.753), (11, 13.3, 15), None),
        ("pmtiles/ne_10m_admin_0_france.pmtiles", (2.5, 46.6), (4, 5),
         plain("ne_10m_admin_0_countries")),
        ("pmtiles/ne_10m_admin_0_france.pmtiles", (2.5, 46.6), (4, 5),
         heat("ne_10m_admin_0_countries")),
    ]
    agree = True
    with tempfile.TemporaryDirectory() as folder:
        for name, center, zooms, style in rows:
            file = samples / name
            if not file.exists():
                print(f"{file} is missing, and left out")
                continue
            agree = Sample(file, center, zooms, pathlib.Path(folder), style).compared() and agree
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()

package import PortolanGeometry

/// A possible place of a label, and how its glyphs are placed there.
package struct LabelPlace: Sendable {
  /// The way in which the text is drawn.
  package enum Lettering: Sendable {
    /// In one piece, in the fonts of this machine.
    case run(TextRun)
    /// Letter by letter along a line that bends, in the fonts of this machine.
    case letters([TextRun])
    /// In the glyphs of a package.
    case glyphs(GlyphText, [GlyphText.Placed])

    /// The maximum distance of anything drawn beyond the letters.
    var reach: Double {
      let style: TextStyle? =
        switch self {
        case .run(let run): run.style
        case .letters(let runs): runs.first?.style
        case .glyphs(let text, _): text.style
        }
      guard let style else { return 0 }
      let isBacked = style.backgroundColor != nil || style.borderColor != nil
      return max(
        style.haloColor == nil ? 0 : style.haloWidth + style.haloBlur,
        isBacked ? style.size / 8 + style.borderWidth : 0)
    }
  }

  package var lettering: Lettering
  /// The position from which distances to labels with the same text count.
  package var position: Coordinate
  /// The boxes that the text covers; empty if that is not known before the text is set.
  package var boxes: [RotatedBox] = []
  /// The boxes that the letters cover where those differ from the boxes that they keep free.
  package var ink: [RotatedBox] = []
  /// An icon that goes where the text goes.
  package var icon: LabelIcon?

  /// A text in one piece, which is measured when its turn comes.
  package init(_ run: TextRun) {
    lettering = .run(run)
    position = run.position
  }

  package init(_ lettering: Lettering, at position: Coordinate, boxes: [RotatedBox]) {
    self.lettering = lettering
    self.position = position
    self.boxes = boxes
  }

  /// The steps that draw the text.
  var commands: [DrawCommand] {
    switch lettering {
    case .run(let run): return [.text(run)]
    case .letters(let runs):
      // All halos go first, so that none covers a letter beside it.
      let halos = runs.compactMap { run -> DrawCommand? in
        guard let color = run.style.haloColor, run.style.haloWidth > 0 else { return nil }
        var halo = run
        halo.style.color = color
        for index in halo.style.sections.indices { halo.style.sections[index].color = color }
        return .text(halo)
      }
      return halos
        + runs.map { run in
          var bare = run
          bare.style.haloColor = nil
          return .text(bare)
        }
    case .glyphs(let text, let placed): return [.letters(text, placed)]
    }
  }
}

extension LabelPlace {
  /// The steps that draw the halos of the text and those that draw its letters; `nil` if it has no halos
  /// or is set in the fonts of this machine.
  var haloApart: (halos: [DrawCommand], letters: [DrawCommand])? {
    guard case .glyphs(let text, let placed) = lettering, text.haloPaint != nil else { return nil }
    var (halos, bare) = (text, text)
    halos.style.color = text.style.color.faded(0)
    for index in halos.letters.indices {
      (halos.letters[index].color, halos.letters[index].marker) = (nil, nil)
    }
    bare.style.haloColor = nil
    return ([.letters(halos, placed)], [.letters(bare, placed)])
  }
}

/// A marker that belongs to a label, and what it covers.
package struct LabelIcon: Sendable {
  package var drawing: DrawCommand
  /// The box that it keeps free.
  package var box: RotatedBox
  /// The box that is drawn on, which may be rotated where the other is not.
  package var ink: RotatedBox

  package init(drawing: DrawCommand, box: RotatedBox, ink: RotatedBox) {
    self.drawing = drawing
    self.box = box
    self.ink = ink
  }
}

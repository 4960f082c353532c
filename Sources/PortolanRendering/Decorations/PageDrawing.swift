internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

/// Draws what is laid out on a page, over a map that fills it.
struct PageDrawing {
  private static let ink = RGBAColor(red: 40, green: 40, blue: 40)
  private static let swatchSide = 18.0
  private static let lineHeight = 21.0
  /// No line of a page has more.
  private static let maximumLetters = 500
  private static let titleSizes = [20.0, 17, 14, 11]

  private let layout: PageLayout
  private let session: DrawingSession
  private let ratio: Double
  /// The map's part of the page, in pixels.
  let box: Envelope
  private let page: Envelope

  init(_ layout: PageLayout, _ session: DrawingSession) {
    self.layout = layout
    self.session = session
    ratio = session.pixelRatio
    page = Envelope(
      xMin: 0, yMin: 0, xMax: Double(session.width), yMax: Double(session.height))
    let points = layout.mapBox(width: page.width / ratio, height: page.height / ratio)
    box = Envelope(
      xMin: points.xMin * ratio, yMin: points.yMin * ratio, xMax: points.xMax * ratio,
      yMax: points.yMax * ratio)
  }

  /// The steps, from the white of the margins to the texts.
  var commands: [DrawCommand] {
    var commands = margins
    commands.append(
      .stroke(
        .rectangle(box), StrokeStyle(color: Self.ink, width: ratio, cap: .square, join: .miter)))
    if !layout.title.isEmpty { commands.append(title) }
    commands += legend
    if layout.showsNorthArrow { commands += northArrow }
    if layout.showsScaleBar { commands += scaleBar }
    if layout.showsAttribution { commands += attribution }
    return commands
  }

  /// White over the map outside of its part, with hard edges.
  private var margins: [DrawCommand] {
    let parts = [
      Envelope(xMin: 0, yMin: 0, xMax: page.xMax, yMax: box.yMin),
      Envelope(xMin: 0, yMin: box.yMax, xMax: page.xMax, yMax: page.yMax),
      Envelope(xMin: 0, yMin: box.yMin, xMax: box.xMin, yMax: box.yMax),
      Envelope(xMin: box.xMax, yMin: box.yMin, xMax: page.xMax, yMax: box.yMax),
    ]
    return parts.map { .fill(.rectangle($0), .solid(.white)) }
  }

  private func text(
    _ text: String, size: Double, at position: Coordinate, anchor: Coordinate,
    isBold: Bool = false, width: Double? = nil, alignment: TextStyle.Alignment = .left
  ) -> DrawCommand {
    var style = TextStyle(size: size * ratio, isBold: isBold, color: Self.ink)
    style.maximumWidth = width
    style.alignment = alignment
    return .text(TextRun(text: text, style: style, position: position, anchor: anchor))
  }

  /// As large as it can be above the map; what does not fit there in small letters either is cut.
  private var title: DrawCommand {
    let place = Coordinate(x: box.xMin, y: box.yMin - 8 * ratio)
    let (width, height) = (page.width - 2 * box.xMin, place.y - 2 * ratio)
    let typesetter = Typesetter()
    for size in Self.titleSizes {
      var style = TextStyle(size: size * ratio, isBold: true, color: Self.ink)
      style.maximumWidth = width
      typesetter?.set(layout.title, in: style)
      guard let box = typesetter?.box, box.width > width || box.height > height else {
        return text(
          layout.title, size: size, at: place, anchor: Coordinate(x: 0, y: 1), isBold: true,
          width: width)
      }
    }
    let size = Self.titleSizes.last ?? 0
    return text(
      cut(layout.title, width, size: size, isBold: true, typesetter), size: size, at: place,
      anchor: Coordinate(x: 0, y: 1), isBold: true)
  }

  // MARK: - Legend

  private var legend: [DrawCommand] {
    guard !layout.legend.isEmpty else { return [] }
    var commands: [DrawCommand] = []
    let left = box.xMax + 14 * ratio
    let width = page.xMax - left - 10 * ratio
    var y = box.yMin + 8 * ratio
    var omitted = 0
    let typesetter = Typesetter()
    let lines = layout.legend.flatMap { section in
      [LegendLine(text: section.title, entry: nil)]
        + section.entries.map { LegendLine(text: $0.name, entry: $0) }
    }
    for line in lines {
      guard y + Self.lineHeight * ratio <= box.yMax else {
        omitted += 1
        continue
      }
      commands += draw(line, Coordinate(x: left, y: y), width: width, typesetter)
      y += Self.lineHeight * ratio
    }
    if omitted > 0 {
      session.omissions.add(
        "the legend has more lines than fit on the page", layer: nil, count: omitted)
    }
    return commands
  }

  /// A line of the legend; the title of a layer has no entry.
  private struct LegendLine {
    let text: String
    let entry: LegendInfo?
  }

  private func draw(
    _ line: LegendLine, _ corner: Coordinate, width: Double, _ typesetter: Typesetter?
  ) -> [DrawCommand] {
    let middle = corner.y + Self.swatchSide * ratio / 2
    guard let entry = line.entry else {
      return [
        text(
          cut(line.text, width, size: 12, isBold: true, typesetter), size: 12,
          at: Coordinate(x: corner.x, y: middle),
          anchor: Coordinate(x: 0, y: 0.5), isBold: true)
      ]
    }
    var commands: [DrawCommand] = []
    let side = Self.swatchSide
    // A line whose symbol cannot be drawn small has no picture.
    let image = try? SwatchRenderer(width: side, height: side, pixelRatio: ratio)
      .image(of: entry.swatch)
    if let image = image ?? nil {
      var transform = PixelTransform.identity
      transform.x0 = corner.x.rounded()
      transform.y0 = corner.y.rounded()
      let area = Envelope(
        xMin: transform.x0, yMin: transform.y0, xMax: transform.x0 + Double(image.width),
        yMax: transform.y0 + Double(image.height))
      commands.append(
        .image(
          image, ImagePlacement(transform: transform, area: .rectangle(area), isSmooth: false)))
    }
    let indent = (side + 8) * ratio
    if !line.text.isEmpty {
      commands.append(
        text(
          cut(line.text, width - indent, size: 11, typesetter), size: 11,
          at: Coordinate(x: corner.x + indent, y: middle), anchor: Coordinate(x: 0, y: 0.5)))
    }
    return commands
  }

  /// As much of a text as a line of a width holds.
  private func cut(
    _ text: String, _ width: Double, size: Double, isBold: Bool = false, _ typesetter: Typesetter?
  ) -> String {
    guard let typesetter else { return text }
    let style = TextStyle(size: size * ratio, isBold: isBold, color: Self.ink)
    func fits(_ text: String) -> Bool {
      typesetter.set(text, in: style)
      return typesetter.box.width <= width
    }
    let letters = Array(text.prefix(Self.maximumLetters))
    guard letters.count < text.count || !fits(text) else { return text }
    var (least, most) = (0, letters.count)
    while least < most {
      let middle = (least + most + 1) / 2
      if fits(String(letters[..<middle]) + "…") { least = middle } else { most = middle - 1 }
    }
    return String(letters[..<least]) + "…"
  }

  // MARK: - Below the map

  private var footerTop: Double { box.yMax + 8 * ratio }

  private var northArrow: [DrawCommand] {
    let center = Coordinate(x: box.xMax - 14 * ratio, y: footerTop + 16 * ratio)
    // North is up where the map is not turned.
    let turn = PixelRotation(-session.frame.rotation)
    func place(_ x: Double, _ y: Double) -> Coordinate {
      let moved = turn(Coordinate(x: x * ratio, y: y * ratio))
      return Coordinate(x: center.x + moved.x, y: center.y + moved.y)
    }
    let left = PixelPath([[place(0, -14), place(-7, 9), place(0, 4)]], isClosed: true)
    let right = PixelPath([[place(0, -14), place(0, 4), place(7, 9)]], isClosed: true)
    let line = StrokeStyle(color: Self.ink, width: ratio, join: .miter)
    return [
      .fill(left, .solid(Self.ink)), .fill(right, .solid(.white)), .stroke(left, line),
      .stroke(right, line),
      text("N", size: 10, at: place(0, 14), anchor: Coordinate(x: 0.5, y: 0.5), isBold: true),
    ]
  }

  private var scaleBar: [DrawCommand] {
    let bar = ScaleBar(session.frame, pixelRatio: ratio)
    let scale = session.frame.scale.rounded()
    let ratioText = Int(exactly: scale).map { "1 : \(Self.grouped($0))" } ?? ""
    return bar.commands(left: box.xMin, bottom: footerTop + 22 * ratio) + [
      text(
        ratioText, size: 10, at: Coordinate(x: box.xMin, y: footerTop + 26 * ratio),
        anchor: Coordinate(x: 0, y: 0))
    ]
  }

  private static func grouped(_ number: Int) -> String {
    var digits = "\(abs(number))"
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: " ")
  }

  private var attribution: [DrawCommand] {
    let credits = session.creditText
    guard !credits.isEmpty else { return [] }
    let right = box.xMax - (layout.showsNorthArrow ? 36 : 0) * ratio
    return [
      text(
        credits, size: 9, at: Coordinate(x: right, y: footerTop),
        anchor: Coordinate(x: 1, y: 0), width: max(right - box.xMin - 150 * ratio, 60 * ratio),
        alignment: .right)
    ]
  }
}

internal import Foundation
package import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
package import PortolanMap

extension SymbolReader {
  func style(_ symbol: SimpleMarkerSymbol) -> SymbolStyle {
    let size = max(pixels(symbol.size), 0)
    var paints: [PathPaint] = []
    if let color = symbol.color, !symbol.style.isOpen { paints.append(.fill(.solid(color))) }
    var outline = stroke(symbol.outline)
    if symbol.style.isOpen, outline == nil, let color = symbol.color {
      outline = StrokeStyle(color: color, width: max(pixels(1), 1), cap: .butt)
    }
    if let outline { paints.append(.stroke(outline)) }
    let path = symbol.style.path(size: size)
    let marker = MarkerStyle(
      graphics: paints.isEmpty || size == 0 ? [] : [.shape(path, paints)], angle: -symbol.angle,
      offset: Coordinate(x: pixels(symbol.xOffset), y: -pixels(symbol.yOffset)),
      reach: size + (outline?.width ?? 0) + pixels(abs(symbol.xOffset) + abs(symbol.yOffset)))
    return SymbolStyle(
      layers: [.marker(marker)], nominalSize: size, problems: lengthProblems(symbol.size))
  }

  func style(_ symbol: PictureMarkerSymbol) -> SymbolStyle {
    picture(symbol.imageData, url: symbol.url) { image in
      let width = max(pixels(symbol.width ?? Double(image.width) * 0.75), 0)
      let height = max(pixels(symbol.height ?? Double(image.height) * 0.75), 0)
      let box = Envelope(xMin: -width / 2, yMin: -height / 2, xMax: width / 2, yMax: height / 2)
      let marker = MarkerStyle(
        graphics: width == 0 || height == 0 ? [] : [.image(image, box)], angle: -symbol.angle,
        offset: Coordinate(x: pixels(symbol.xOffset), y: -pixels(symbol.yOffset)),
        reach: width + height + pixels(abs(symbol.xOffset) + abs(symbol.yOffset)))
      return SymbolStyle(
        layers: [.marker(marker)], nominalSize: max(width, height),
        problems: lengthProblems(symbol.width ?? 0, symbol.height ?? 0))
    }
  }

  func style(_ symbol: PictureFillSymbol) -> SymbolStyle {
    var style = picture(symbol.imageData, url: symbol.url) { image in
      let tile = FillStyle.PictureTile(
        image: image,
        width: pixels((symbol.width ?? Double(image.width) * 0.75) * Self.scale(symbol, "xscale")),
        height: pixels(
          (symbol.height ?? Double(image.height) * 0.75) * Self.scale(symbol, "yscale")),
        angle: symbol.angle,
        offset: Coordinate(
          x: pixels(symbol.json.number("xoffset") ?? 0),
          y: -pixels(symbol.json.number("yoffset") ?? 0)))
      return SymbolStyle(
        layers: [.fill(.picture(tile))],
        problems: lengthProblems(symbol.width ?? 0, symbol.height ?? 0))
    }
    if let outline = stroke(symbol.outline) {
      style.layers.append(.stroke(outline))
      style.nominalSize = outline.width
    }
    return style
  }

  /// The scale of the copies relative to the picture; documents write 0 for 1.
  private static func scale(_ symbol: PictureFillSymbol, _ name: String) -> Double {
    symbol.json.number(name).flatMap { $0 > 0 ? $0 : nil } ?? 1
  }

  /// Text in place of a marker.
  func style(_ symbol: TextSymbol) -> SymbolStyle {
    guard let text = symbol.text, !text.isEmpty else {
      return SymbolStyle(problems: ["a text symbol has no text"])
    }
    let style = textStyle(symbol)
    let run = TextRun(
      text: ShapeableText(text).text, style: style, position: Coordinate(x: 0, y: 0),
      anchor: symbol.anchor)
    let marker = MarkerStyle(
      graphics: [.text(run)], angle: -symbol.angle,
      offset: Coordinate(x: pixels(symbol.xOffset), y: -pixels(symbol.yOffset)),
      reach: style.size * Double(min(run.text.count, 500)) + pixels(abs(symbol.xOffset)))
    return SymbolStyle(
      layers: [.marker(marker)], nominalSize: style.size,
      problems: lengthProblems(symbol.font.size * 4))
  }

  /// The text style of a text symbol.
  package func textStyle(_ symbol: TextSymbol) -> TextStyle {
    var style = TextStyle(
      family: symbol.font.family, size: min(max(pixels(symbol.font.size), 1), 1000),
      color: symbol.color ?? RGBAColor(red: 0, green: 0, blue: 0))
    style.isBold = symbol.font.isBold
    style.isItalic = symbol.font.isItalic
    style.isUnderlined = symbol.font.isUnderlined
    style.isStruckThrough = symbol.json.object("font")?.text("decoration") == "line-through"
    style.haloColor = symbol.haloColor
    style.borderColor = RGBAColor(json: symbol.json["borderLineColor"])
    style.borderWidth = max(pixels(symbol.json.number("borderLineSize") ?? 0), 0)
    style.haloWidth = max(pixels(symbol.haloSize), 0)
    style.backgroundColor = symbol.backgroundColor
    return style
  }

  /// The picture of a symbol, or the reason why it is not drawn.
  private func picture(
    _ data: Data?, url: String?, _ style: (PixelImage) -> SymbolStyle
  ) -> SymbolStyle {
    guard let data else {
      let reason = url == nil ? "has no picture" : "has its picture on the web"
      return SymbolStyle(problems: ["a picture symbol \(reason)"])
    }
    do throws(ImageDecodingError) {
      return style(try ImageDecoder.decode(data))
    } catch {
      return SymbolStyle(problems: ["a picture symbol is not drawn: \(error.clause)"])
    }
  }
}

extension TextSymbol {
  /// The anchor point of the text, from its top left corner.
  var anchor: Coordinate {
    let x =
      switch horizontalAlignment {
      case .left: 0.0
      case .center, .justify: 0.5
      case .right: 1.0
      }
    let y =
      switch verticalAlignment {
      case .top: 0.0
      case .middle: 0.5
      case .baseline: 0.8
      case .bottom: 1.0
      }
    return Coordinate(x: x, y: y)
  }
}

extension SimpleMarkerSymbol.Style {
  /// Whether the shape has lines only.
  var isOpen: Bool { self == .cross || self == .x }

  /// The shape around the origin.
  func path(size: Double) -> PixelPath {
    let half = size / 2
    func at(_ x: Double, _ y: Double) -> Coordinate { Coordinate(x: x * half, y: y * half) }
    switch self {
    case .circle: return .circle(radius: half)
    case .square: return PixelPath([[at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)]], isClosed: true)
    case .diamond: return PixelPath([[at(0, -1), at(1, 0), at(0, 1), at(-1, 0)]], isClosed: true)
    case .triangle: return PixelPath([[at(0, -1), at(1, 1), at(-1, 1)]], isClosed: true)
    case .cross:
      return PixelPath([[at(-1, 0), at(1, 0)], [at(0, -1), at(0, 1)]], isClosed: false)
    case .x: return PixelPath([[at(-1, -1), at(1, 1)], [at(-1, 1), at(1, -1)]], isClosed: false)
    }
  }
}

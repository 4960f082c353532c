internal import Foundation
internal import PortolanDrawing
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap

extension CIMSymbolReader {
  /// The fill of an area; older documents put it into a `pattern`.
  func fill(_ layer: JSONObject, _ problems: inout [String]) -> FillStyle? {
    let fill = layer.object("pattern") ?? layer
    switch fill.text("type") {
    case "CIMHatchFill", "CIMHatchPattern": return hatch(fill, &problems)
    case "CIMPictureFill", "CIMTiledPattern", "CIMTexturePattern":
      return picture(fill, &problems)
    case "CIMGradientFill", "CIMGradientPattern": return gradient(fill, &problems)
    default: return CIMColor.color(fill["color"]).map(FillStyle.solid)
    }
  }

  private func hatch(_ fill: JSONObject, _ problems: inout [String]) -> FillStyle? {
    let layers = fill.object("lineSymbol")?.objects("symbolLayers") ?? []
    let line = layers.first { ($0.text("type") ?? "").hasSuffix("Stroke") }
    guard var stroke = line.flatMap({ stroke($0, &problems) }) else { return nil }
    stroke.cap = .butt
    return .hatch(
      FillStyle.Hatch(
        stroke: stroke, angles: [fill.number("rotation") ?? 0],
        separation: reader.pixels(fill.number("separation") ?? 5)))
  }

  private func picture(_ fill: JSONObject, _ problems: inout [String]) -> FillStyle? {
    guard let image = image(fill, &problems) else { return nil }
    let height = reader.pixels(fill.number("height") ?? Double(image.height) * 0.75)
    let aspect = Double(image.width) / Double(image.height)
    let scale = fill.number("scaleX") ?? 1
    return .picture(
      FillStyle.PictureTile(
        image: image, width: height * aspect * scale, height: height,
        angle: fill.number("rotation") ?? 0))
  }

  private func gradient(_ fill: JSONObject, _ problems: inout [String]) -> FillStyle? {
    let ramps = fill.object("colorRamp").map { ramp in
      ramp.objects("colorRamps").isEmpty ? [ramp] : ramp.objects("colorRamps")
    }
    let colors = (ramps ?? []).prefix(32).flatMap { ramp in
      [CIMColor.color(ramp["fromColor"]), CIMColor.color(ramp["toColor"])].compactMap(\.self)
    }
    guard colors.count > 1 else {
      problems.append("a run of colours of an area is not understood")
      return colors.first.map(FillStyle.solid)
    }
    let stops = colors.enumerated().map { index, color in
      ColorStop(value: Double(index) / Double(colors.count - 1), color: color)
    }
    let isLinear = fill.text("gradientMethod") == "Linear"
    return .gradient(
      FillStyle.Gradient(stops: stops, angle: isLinear ? fill.number("angle") ?? 90 : nil))
  }

  /// The picture in a symbol layer, which must be in the document.
  func image(_ layer: JSONObject, _ problems: inout [String]) -> PixelImage? {
    guard let url = layer.text("url") ?? layer.text("textureURL"),
      url.lowercased().hasPrefix("data:"),
      let comma = url.firstIndex(of: ","),
      let data = Data(
        base64Encoded: String(url[url.index(after: comma)...]), options: .ignoreUnknownCharacters)
    else {
      problems.append("a picture of a symbol is not in the map")
      return nil
    }
    do throws(ImageDecodingError) {
      return try ImageDecoder.decode(data)
    } catch {
      problems.append("a picture of a symbol is not drawn: \(error.clause)")
      return nil
    }
  }
}

internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap

extension StylePainter {
  /// An icon as a layer asks for it; `nil`, and reported, if the style has none of that name.
  func icon(
    named name: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> StyleIcon? {
    let opacity = layer.number("icon-opacity", context, or: 1)
    let paint = IconPaint(
      color: layer.color("icon-color", opacity: "icon-opacity", context, or: .black) ?? .black,
      halo: layer.color("icon-halo-color", opacity: "icon-opacity", context, or: nil),
      haloWidth: min(max(layer.number("icon-halo-width", context, or: 0), 0), 100),
      haloBlur: min(max(layer.number("icon-halo-blur", context, or: 0), 0), 100),
      scale: (min(max(layer.number("icon-size", context, or: 1), 0), 100) * 16).rounded() / 16,
      ratio: ratio)
    guard let icon = icons.icon(name, paint) else {
      drawing.omissions.add("there is no icon \"\(name.prefix(100))\"", layer: title)
      return nil
    }
    let width = Double(icon.image.width) / icon.pixelRatio
    let height = Double(icon.image.height) / icon.pixelRatio
    let share = Self.share(layer.text("icon-anchor", context, or: "center"))
    let offset = Self.point(layer.numbers("icon-offset", context), limit: 1e4)
    let (left, top) = (offset.x - width * share.x, offset.y - height * share.y)
    var styled = StyleIcon(
      image: icon.image,
      sides: Envelope(xMin: left, yMin: top, xMax: left + width, yMax: top + height),
      size: min(max(layer.number("icon-size", context, or: 1), 0), 100), ratio: ratio,
      pixelRatio: icon.storedPixelRatio,
      columns: icon.stretch?.columns
        ?? IconAxis(nil, size: width * icon.storedPixelRatio, content: nil),
      rows: icon.stretch?.rows
        ?? IconAxis(nil, size: height * icon.storedPixelRatio, content: nil),
      angle: layer.number("icon-rotate", context, or: 0),
      opacity: icon.isShape ? 1 : min(max(opacity, 0), 1),
      padding: paddings("icon", layer, context), isPicture: !icon.isShape,
      isSmooth: isSmooth(layer, context),
      keepsUpright: layer.flag("icon-keep-upright", context),
      translation: translation("icon", layer, context), stretch: icon.stretch,
      fit: fit(layer, context, offset))
    // Around a text it is as large as that.
    styled.collisionScale =
      styled.fit == nil
      ? collisionScale("icon-size", fallback: 1, within: 0...100, layer, context)
      : collisionScale("text-size", fallback: 16, within: 1...500, layer, context)
    return styled
  }

  /// Whether icons are not moved onto the pixels of the picture.
  ///
  /// As in MapLibre those are not that turn with the map or a line, or whose size or angle may be
  /// another one for other features, or the size at other zooms.
  private func isSmooth(_ layer: StyleLayer, _ context: EvaluationContext) -> Bool {
    let alignment = layer.text("icon-rotation-alignment", context, or: "auto")
    return alignment == "map" || (alignment == "auto" && isAlong(layer, context))
      || layer.variesByZoom("icon-size")
      || ["icon-size", "icon-rotate"].contains(where: layer.variesByFeature)
  }

  private func fit(
    _ layer: StyleLayer, _ context: EvaluationContext, _ offset: Coordinate
  ) -> StyleIcon.Fit? {
    let mode = layer.text("icon-text-fit", context, or: "none")
    guard ["width", "height", "both"].contains(mode) else { return nil }
    return StyleIcon.Fit(
      width: mode != "height", height: mode != "width",
      padding: layer.numbers("icon-text-fit-padding", context).map { min(max($0, -1000), 1000) },
      offset: offset)
  }
}

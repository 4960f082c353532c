internal import PortolanJSON

extension CIMSymbolReader {
  /// Reports members of a part of a symbol that nothing draws.
  func reportMembers(of layer: JSONObject, _ problems: inout [String]) {
    guard let known = Self.parts[layer.text("type") ?? ""] else { return }
    Self.tell(layer, known.union(Self.anyPart), &problems)
  }

  /// Reports members of a symbol, and of what refers to it, that nothing draws.
  func reportMembers(
    of reference: JSONObject, _ symbol: JSONObject, _ problems: inout [String]
  ) {
    Self.tell(symbol, Self.symbol, &problems)
    if reference.text("type") == "CIMSymbolReference" {
      Self.tell(reference, Self.reference, &problems)
    }
  }

  private static func tell(
    _ json: JSONObject, _ known: Set<String>, _ problems: inout [String]
  ) {
    if json.members.contains(where: \.isDamagedColor) {
      problems.append("a colour of a symbol of ArcGIS Pro is of a kind that is not read")
    }
    for member in json.members where !known.contains(member.name) && member.value.saysSomething {
      // Heights and whatever else is of scenes have no meaning on a map.
      guard !member.name.hasSuffix("3D"), !defaults.contains(member) else { continue }
      let problem = "\"\(member.name)\" of a symbol of ArcGIS Pro is left out"
      if !problems.contains(problem) { problems.append(problem) }
    }
  }

  /// Members with the value that they have where nothing is requested.
  private static let defaults: Set<JSONObject.Member> = [
    .init(name: "scaleX", value: 1), .init(name: "angleAlignment", value: "Display"),
    .init(name: "haloSize", value: 1), .init(name: "gradientMethod", value: "AcrossLine"),
  ]

  private static let reference: Set<String> = [
    "type", "symbol", "symbolName", "stylePath", "primitiveOverrides",
  ]

  private static let symbol: Set<String> = [
    "type", "symbolLayers", "effects", "angle", "color", "thumbnailURI", "primitiveName",
    // Of points: the parts have anchors of their own.
    "anchorPoint", "anchorPointUnits",
  ]

  private static let anyPart: Set<String> = [
    "type", "name", "enable", "colorLocked", "primitiveName", "overprint", "effects",
  ]

  private static let strokes: Set<String> = [
    "capStyle", "joinStyle", "miterLimit", "width", "color", "pattern", "patternFollowsStroke",
    "alignment",
  ]

  private static let markers: Set<String> = [
    "anchorPoint", "anchorPointUnits", "size", "offsetX", "offsetY", "offsetZ", "rotation",
    "rotateClockwise", "rotateX", "rotateY", "markerPlacement", "extrusionRatio", "depth3D",
  ]

  private static let parts: [String: Set<String>] = [
    "CIMSolidStroke": strokes, "CIMFilledStroke": strokes,
    "CIMGradientStroke": strokes.union([
      "colorRamp", "gradientMethod", "gradientSize", "gradientSizeUnits", "gradientType",
      "interval",
    ]),
    "CIMSolidFill": ["color"], "CIMFill": ["color", "pattern"],
    "CIMHatchFill": ["lineSymbol", "rotation", "separation"],
    "CIMPictureFill": [
      "url", "textureURL", "rotation", "scaleX", "height", "textureFilter",
    ],
    "CIMGradientFill": [
      "angle", "colorRamp", "gradientMethod", "gradientSize", "gradientSizeUnits",
      "gradientType", "interval",
    ],
    "CIMVectorMarker": markers.union([
      "frame", "markerGraphics", "scaleSymbolsProportionally", "scaleStrokesAndFills",
      "respectFrame",
    ]),
    "CIMSimpleMarker": markers.union([
      "simpleMarkerType", "fillColor", "outlineColor", "outlineWidth",
    ]),
    "CIMPictureMarker": markers.union(["url", "textureURL", "scaleX", "textureFilter"]),
    "CIMCharacterMarker": markers.union([
      "characterIndex", "fontFamilyName", "fontStyleName", "fontType", "symbol", "scaleX",
    ]),
  ]
}

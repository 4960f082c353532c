internal import PortolanExpressions

extension StyleLayer {
  /// A text in the capitals or small letters that the layer writes.
  func inItsCase(_ text: String, _ context: EvaluationContext) -> String {
    switch self.text("text-transform", context, or: "none") {
    case "uppercase": text.uppercased()
    case "lowercase": text.lowercasedInContext()
    default: text
    }
  }

  /// Adds the letters of the texts that the layer writes for the features of a tile.
  func addLetters(
    of tile: PlacedVectorTile, isOwnSource: Bool, _ context: EvaluationContext,
    to letters: inout Set<Unicode.Scalar>
  ) {
    var (context, unfiltered) = (context, context.atWholeZoom)
    for source in tile.tile.layers where source.name == (isOwnSource ? "" : sourceLayer) {
      for feature in source.features {
        let feature = PlacedFeature(feature: feature, tile: tile, layer: source)
        unfiltered.feature = feature
        guard filter?.accepts(unfiltered) ?? true else { continue }
        context.feature = feature
        letters.formUnion(inItsCase(value("text-field", context).text, context).unicodeScalars)
      }
    }
  }
}

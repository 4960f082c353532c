internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A class of labels of a layer, ready for its features.
struct LabelClass {
  private let definition: LabelDefinition
  private let condition: BoundWhereClause?
  private let style: TextStyle
  private let schema: FeatureTableSchema
  private let pixelsPerPoint: Double
  let mayOverlap: Bool

  /// - Throws: ``FeatureStoreError`` if the condition of the class cannot be understood.
  init(
    _ definition: LabelDefinition, _ schema: FeatureTableSchema, pixelsPerPoint: Double,
    opacity: Double
  ) throws(FeatureStoreError) {
    self.definition = definition
    self.schema = schema
    self.pixelsPerPoint = pixelsPerPoint
    mayOverlap = definition.json["deconflictionStrategy"]?.string == "none"
    // Conditions on the present moment are none that labels have.
    let now = Date(timeIntervalSince1970: 0)
    condition = try definition.whereClause.map { text throws(FeatureStoreError) in
      try WhereClause(text).bound(to: schema, now: now)
    }
    let symbol =
      definition.symbol ?? TextSymbol(color: .black, size: 9, haloColor: .white, haloSize: 1)
    var style = SymbolReader(pixelsPerPoint: pixelsPerPoint).textStyle(symbol)
    style.color = style.color.faded(opacity)
    style.haloColor = style.haloColor?.faded(opacity)
    style.maximumWidth = (symbol.json["lineWidth"]?.double ?? 192) * pixelsPerPoint
    self.style = style
  }

  /// The fields whose values are asked for, in the text and in the condition.
  var fields: [String] {
    definition.fields
      + (definition.whereClause == nil ? [] : schema.fields.map(\.name))
  }

  /// The text for a feature; `nil` if the class does not label it.
  func text(for attributes: Attributes) -> LabelDefinition.LabelText? {
    if let condition, !condition.matches(attributes) { return nil }
    return definition.labelText(for: attributes, of: schema)
  }

  /// The places where a text may stand, the best first.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - geometry: The shape on the picture.
  ///   - reach: How far the marker of a point, or half of a line, reaches.
  ///   - typesetter: What tells how long the text is.
  /// - Returns: The places; none if the shape is too small.
  func places(
    for text: String, _ geometry: PixelGeometry, reach: Double, _ typesetter: Typesetter
  ) -> [TextRun] {
    let run = TextRun(text: text, style: style, position: Coordinate(x: 0, y: 0))
    let placement = LabelPlacement(definition.placement ?? "")
    switch geometry {
    case .points(let points):
      return points.first.map { placement.places(of: run, around: $0, reach: reach) } ?? []
    case .lines(let path):
      typesetter.set(text, in: style)
      return placement.places(
        of: run, along: path, width: typesetter.box.width, reach: reach)
    case .area(let path):
      let size = path.bounds.width * path.bounds.height
      guard size > style.size * style.size / 2, let point = path.interiorPoint else { return [] }
      var placed = run
      placed.position = point
      return [placed]
    }
  }
}

extension RGBAColor {
  static let black = RGBAColor(red: 0, green: 0, blue: 0)
}

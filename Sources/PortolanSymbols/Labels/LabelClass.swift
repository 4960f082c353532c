package import Foundation
package import PortolanDrawing
package import PortolanFeatures
package import PortolanGeometry
internal import PortolanJSON
package import PortolanMap

/// A class of labels of a layer, ready for its features.
package struct LabelClass {
  private let definition: LabelDefinition
  private let condition: BoundWhereClause?
  private let style: TextStyle
  private let schema: FeatureTableSchema
  private let placement: LabelPlacement
  package let rules: LabelRules
  private let pixelsPerPoint: Double
  private let opacity: Double

  /// Reads a class; `now` is the present moment, for conditions that ask for it.
  ///
  /// - Throws: ``FeatureStoreError`` if the condition of the class cannot be understood.
  package init(
    _ definition: LabelDefinition, _ schema: FeatureTableSchema, pixelsPerPoint: Double,
    opacity: Double, now: Date = Date()
  ) throws(FeatureStoreError) {
    self.definition = definition
    self.pixelsPerPoint = pixelsPerPoint
    self.opacity = opacity
    self.schema = schema
    placement = LabelPlacement(definition.placement ?? "")
    rules = LabelRules(definition.json, schema.geometryType, pixelsPerPoint: pixelsPerPoint)
    condition = try definition.whereClause.map { text throws(FeatureStoreError) in
      try WhereClause(text).bound(to: schema, now: now)
    }
    let symbol =
      definition.symbol ?? TextSymbol(color: .black, size: 9, haloColor: .white, haloSize: 1)
    var style = SymbolReader(pixelsPerPoint: pixelsPerPoint).textStyle(symbol)
    style.color = style.color.faded(opacity)
    style.haloColor = style.haloColor?.faded(opacity)
    let lineWidth = (symbol.json["lineWidth"]?.double ?? 192) * pixelsPerPoint
    style.maximumWidth = rules.maximumWidth(lineWidth, size: style.size)
    if rules.alignsRows {
      style.alignment = TextStyle.Alignment(symbol.json["horizontalAlignment"]?.string)
    }
    self.style = style
  }

  /// The fields whose values are requested, in the text and in the condition.
  package var fields: [String] {
    definition.fields
      + (definition.whereClause == nil ? [] : schema.fields.map(\.name))
  }

  /// The text for a feature; `nil` if the class does not label it.
  package func text(for attributes: Attributes) -> LabelDefinition.LabelText? {
    if let condition, !condition.matches(attributes) { return nil }
    return definition.labelText(for: attributes, of: schema)
  }

  /// The labels of a shape, each with its possible places, the best first.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - sections: The parts of it that look different.
  ///   - geometry: The shape on the picture.
  ///   - reach: How far the marker of a point, or half of a line, reaches.
  ///   - typesetter: Measures the length of the text.
  /// - Returns: The labels; none if the shape is too small.
  package func labels(
    for text: String, _ sections: [LabelMarkup.Section], _ geometry: PixelGeometry, reach: Double,
    _ typesetter: Typesetter
  ) -> [(anchor: Coordinate, places: [LabelPlace])] {
    let style = self.style.with(sections, pixelsPerPoint: pixelsPerPoint, opacity: opacity)
    let run = TextRun(text: text, style: style, position: Coordinate(x: 0, y: 0))
    let reach = reach + rules.offset
    switch geometry {
    case .points(let points):
      return points.prefix(rules.labelsEveryPart ? LabelRules.maximumLabels : 1).map { point in
        (point, placement.places(of: run, around: point, reach: reach).map { LabelPlace($0) })
      }
    case .lines(let path):
      return lines(text, style, path, reach: reach, typesetter).compactMap { places in
        places.first.map { ($0.position, places) }
      }
    case .area(let path):
      let size = path.bounds.width * path.bounds.height
      guard size > style.size * style.size / 2, let point = path.interiorPoint else { return [] }
      return [(point, places(of: run, in: path, around: point))]
    }
  }

  /// The place in the middle of an area, then those above and below it.
  private func places(
    of run: TextRun, in path: PixelPath, around point: Coordinate
  ) -> [LabelPlace] {
    let others = [-1.5, 1.5, -3, 3].compactMap { rows in
      path.middleOfLongestStretch(at: point.y + rows * style.size)
    }
    return ([point] + others).map { position in
      var placed = run
      placed.position = position
      return LabelPlace(placed)
    }
  }

  private func lines(
    _ text: String, _ style: TextStyle, _ path: PixelPath, reach: Double, _ typesetter: Typesetter
  ) -> [[LabelPlace]] {
    var line = LineLabel(text, style, typesetter)
    line.keepsUpright = rules.keepsUpright
    line.mayOverrun = rules.mayOverrun
    let runs = path.runs.map { ($0, PixelPath.length($0)) }.sorted { $0.1 > $1.1 }
    var labels: [[LabelPlace]] = []
    for (run, length) in runs.prefix(rules.labelsEveryPart ? LabelRules.maximumLabels : 1) {
      let count = placement.isAtEnd ? 1 : rules.count(along: length, width: line.width)
      for number in 0..<count where labels.count < LabelRules.maximumLabels {
        let stretch = Double(number) / Double(count)...Double(number + 1) / Double(count)
        let places = placement.places(of: line, along: run, stretch: stretch, reach: reach)
        if !places.isEmpty { labels.append(places) }
      }
    }
    return labels
  }
}

extension TextStyle.Alignment {
  /// The alignment of a text symbol; in the middle without one.
  fileprivate init(_ name: String?) {
    self = name == "left" ? .left : name == "right" ? .right : .center
  }
}

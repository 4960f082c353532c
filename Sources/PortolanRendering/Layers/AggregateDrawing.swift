internal import Foundation
internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanSymbols

/// Draws clusters and bins.
struct AggregateDrawing {
  private let reduction: FeatureReduction
  private let session: DrawingSession
  private let pixelsPerPoint: Double
  private var symbolizer: FeatureSymbolizer
  private let variables: VisualVariableReader
  /// The fields of features whose statistics are worked out.
  let fields: [AggregateField]
  /// The parts of the definition that cannot be followed, in clauses for people.
  let problems: [String]

  init(
    _ reduction: FeatureReduction, layer renderer: Renderer, _ session: DrawingSession,
    pixelsPerPoint: Double
  ) {
    self.reduction = reduction
    self.session = session
    self.pixelsPerPoint = pixelsPerPoint
    let own = reduction.renderer ?? renderer
    symbolizer = FeatureSymbolizer(own, pixelsPerPoint: pixelsPerPoint)
    variables = VisualVariableReader(own, session.scaling(pixelsPerPoint: pixelsPerPoint))
    var survey = MemberSurvey()
    survey.visit(renderer: own.json)
    problems = reduction.problems + symbolizer.problems + variables.problems + survey.problems
    let isByValue = if case .uniqueValue = own { true } else { false }
    let candidates =
      symbolizer.fields.map { AggregateField($0, isByValue ? .mode : .avg) }
      + variables.fields.map { AggregateField($0, .avg) }
    let named = candidates.filter { !FeatureAggregate.countNames.contains($0.name) }
    fields = named.reduce(into: reduction.fields) { fields, field in
      if !fields.contains(where: { $0.name == field.name }) { fields.append(field) }
    }
  }

  /// The pixels along a cell of clusters.
  var clusterRadius: Double? {
    if case .clusters(let radius, _) = reduction.kind {
      radius * session.pixelsPerPoint
    } else {
      nil
    }
  }

  /// A new aggregator of the features.
  func aggregator() -> FeatureAggregator { FeatureAggregator(reduction, fields: fields, session) }

  /// Whether features of several copies of the world may be in one aggregate.
  var joinsWorlds: Bool { if case .clusters = reduction.kind { true } else { false } }

  /// Whether an aggregate is drawn as the one feature that it is.
  func drawsAlone(_ aggregate: FeatureAggregate) -> Bool { joinsWorlds && aggregate.count == 1 }

  /// The steps that draw an aggregate, the largest of which has `most` features.
  mutating func commands(_ aggregate: FeatureAggregate, most: Int) -> [DrawCommand] {
    guard case .clusters(_, let sizes) = reduction.kind, reduction.renderer == nil else {
      return commands(aggregate, size: nil)
    }
    let share = min(Double(aggregate.count - 1) / Double(max(most - 1, 1)), 1).squareRoot()
    return commands(
      aggregate, size: sizes.lowerBound + (sizes.upperBound - sizes.lowerBound) * share)
  }

  private mutating func commands(
    _ aggregate: FeatureAggregate, size: Double?
  ) -> [DrawCommand] {
    let attributes = aggregate.attributes
    guard let style = symbolizer.style(for: attributes) else { return [] }
    var variation = variables.variation(for: attributes)
    if let size { variation.size = size * pixelsPerPoint }
    var commands: [DrawCommand] = []
    var center = aggregate.center
    let heading = variation.heading.map { $0 - session.frame.rotation } ?? 0
    if let cell = aggregate.cell, style.hasFills {
      let path = PixelPath(
        [cell.polygon.rings[0].coordinates.dropLast().map { session.transform($0) }],
        isClosed: true)
      _ = style.varied(by: variation).draw(.area(path), heading: heading, into: &commands)
      center = path.bounds.center
    } else {
      _ = style.varied(by: variation).draw(.points([center]), heading: heading, into: &commands)
    }
    return commands + label(aggregate.count, at: center)
  }

  private func label(_ count: Int, at center: Coordinate) -> [DrawCommand] {
    guard let label = reduction.label else { return [] }
    let style = SymbolReader(pixelsPerPoint: pixelsPerPoint).textStyle(label)
    return [.text(TextRun(text: "\(count)", style: style, position: center))]
  }
}

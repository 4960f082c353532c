internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap

/// Draws each feature by the values of several fields at once.
protocol FeatureChart {
  /// The fields whose values are requested.
  var fields: [String] { get }

  /// Adds the steps that draw a feature.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - geometry: Its shape, in the reference of the map.
  ///   - pixels: Its shape on the picture.
  ///   - size: The width that visual variables give the chart, in pixels; `nil` for its own.
  ///   - commands: Where the steps go.
  /// - Returns: How far the chart reaches from its middle, in pixels.
  func draw(
    _ feature: Feature, _ geometry: Geometry, _ pixels: PixelGeometry, size: Double?,
    into commands: inout [DrawCommand]
  ) -> Double
}

extension Renderer {
  /// The drawing of the features as charts, if they are drawn so.
  func chart(_ session: DrawingSession, pixelsPerPoint: Double) -> (any FeatureChart)? {
    switch self {
    case .dotDensity(let renderer): DotDensityChart(renderer, session)
    case .pieChart(let renderer): PieChart(renderer, pixelsPerPoint: pixelsPerPoint)
    default: nil
    }
  }
}

/// A field or an expression that a chart counts, with its colour.
struct ChartAttribute {
  private let field: String?
  private let expression: ArcadeExpression?
  let color: RGBAColor

  init?(_ attribute: AttributeColor) {
    guard let color = attribute.color else { return nil }
    self.color = color
    field = attribute.field
    expression = attribute.field == nil ? attribute.valueExpression.map(ArcadeExpression.init) : nil
  }

  var fields: [String] { [field].compactMap(\.self) + (expression?.fields ?? []) }

  /// The number of a feature, never below zero.
  func value(for attributes: Attributes) -> Double {
    let value = field.flatMap { attributes[$0] } ?? expression?.evaluate(attributes).value
    guard let number = value?.number, number.isFinite else { return 0 }
    return max(number, 0)
  }
}

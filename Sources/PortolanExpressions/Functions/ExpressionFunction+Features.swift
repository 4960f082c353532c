internal import PortolanJSON

extension ExpressionFunction {
  static let features: [String: [ExpressionFunction]] = [
    "get": [
      ofFeature(.value, [.string]) { values, context throws(EvaluationFault) in
        context.property(values[0].text)
      },
      ofObject(.value) { $0.map(StyleValue.init) ?? .null },
    ],
    "has": [
      ofFeature(.boolean, [.string]) { values, context throws(EvaluationFault) in
        .bool(context.feature?.property(values[0].text) != nil)
      },
      ofObject(.boolean) { .bool($0 != nil) },
    ],
    "feature-state": [
      ofFeature(.value, [.string]) { values, context throws(EvaluationFault) in
        context.featureState.value(named: values[0].text).map(StyleValue.init) ?? .null
      }
    ],
    "properties": [
      ofFeature(.object, []) { _, context throws(EvaluationFault) in
        .object(context.feature?.allProperties ?? [:])
      }
    ],
    "geometry-type": [
      ofFeature(.string, []) { _, context throws(EvaluationFault) in
        context.feature?.geometryType.map(StyleValue.text) ?? .null
      }
    ],
    "id": [
      ofFeature(.value, []) { _, context throws(EvaluationFault) in
        context.feature?.identifier ?? .null
      }
    ],
    "zoom": [ofMap(.zoom) { .number($0.zoom) }],
    // A value that is absent counts as 0.
    "heatmap-density": [ofMap { .number($0.heatmapDensity ?? 0) }],
    "line-progress": [ofMap { .number($0.lineProgress ?? 0) }],
    "elevation": [ofMap { .number($0.elevation ?? 0) }],
    "accumulated": [
      ExpressionFunction(.value, .exactly([]), needs: .environment) {
        _, context throws(EvaluationFault) in
        context.accumulated
      }
    ],
  ]

  private static func ofFeature(
    _ type: ExpressionType, _ arguments: [ExpressionType], _ body: @escaping Body
  ) -> ExpressionFunction {
    ExpressionFunction(type, .exactly(arguments), needs: .feature, body)
  }

  private static func ofObject(
    _ type: ExpressionType, _ body: @escaping @Sendable (JSONValue?) -> StyleValue
  ) -> ExpressionFunction {
    ExpressionFunction(type, .exactly([.string, .object])) { values, _ throws(EvaluationFault) in
      guard case .object(let object) = values[1] else { return .null }
      return body(object.value(named: values[0].text))
    }
  }

  private static func ofMap(
    _ dependency: ExpressionDependency = .environment,
    _ body: @escaping @Sendable (EvaluationContext) -> StyleValue
  ) -> ExpressionFunction {
    ExpressionFunction(.number, .exactly([]), needs: dependency) {
      _, context throws(EvaluationFault) in
      body(context)
    }
  }
}

internal import PortolanJSON

extension ParsingContext {
  typealias Parser = @Sendable ([JSONValue], ParsingContext) -> (any ExpressionNode)?

  /// The expressions with a form of their own; the others are functions of their arguments.
  static let operators: [String: Parser] = [
    "literal": LiteralNode.parse, "semiliteral": ListNode.parse,
    "array": Assertion.parse, "string": Assertion.parse, "number": Assertion.parse,
    "boolean": Assertion.parse, "object": Assertion.parse,
    "to-string": Coercion.parse, "to-number": Coercion.parse, "to-boolean": Coercion.parse,
    "to-color": Coercion.parse,
    "at": ElementNode.parse, "at-interpolated": InterpolatedElementNode.parse,
    "in": MembershipNode.parse, "index-of": PositionNode.parse,
    "slice": SliceNode.parse, "length": LengthNode.parse,
    "case": CaseNode.parse, "match": MatchNode.parse, "coalesce": CoalesceNode.parse,
    "all": ConditionsNode.parse, "any": ConditionsNode.parse, "none": ConditionsNode.parse,
    "let": BindingNode.parse, "var": VariableNode.parse,
    "step": StepNode.parse, "interpolate": InterpolationNode.parse,
    "interpolate-lab": InterpolationNode.parse, "interpolate-hcl": InterpolationNode.parse,
    "==": ComparisonNode.parse, "!=": ComparisonNode.parse, "<": ComparisonNode.parse,
    "<=": ComparisonNode.parse, ">": ComparisonNode.parse, ">=": ComparisonNode.parse,
    "collator": CollatorNode.parse, "number-format": NumberFormatNode.parse,
    "format": FormatNode.parse, "image": ImageNode.parse,
    "within": WithinNode.parse, "distance": DistanceNode.parse,
    "global-state": GlobalStateNode.parse,
  ]
}

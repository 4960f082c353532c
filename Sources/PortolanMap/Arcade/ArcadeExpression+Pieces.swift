internal import PortolanFeatures

extension ArcadeExpression {
  /// The texts and fields that the expression joins; `nil` if it does anything else.
  func pieces(of schema: FeatureTableSchema) -> [LabelDefinition.Piece]? {
    guard let program, program.statements.count == 1 else { return nil }
    switch program.statements[0] {
    case .expression(let node), .result(let node?):
      return PieceReader(schema: schema).pieces(of: node)?.pieces
    default: return nil
    }
  }
}

/// Finds out what parts of an expression join.
private struct PieceReader {
  /// The pieces that a part joins, and whether the result is certain to be text: `+` joins texts,
  /// but adds numbers.
  typealias Joined = (pieces: [LabelDefinition.Piece], isText: Bool)

  let schema: FeatureTableSchema

  func pieces(of node: ArcadeNode) -> Joined? {
    switch node {
    case .text(let text): (text.isEmpty ? [] : [.text(text)], true)
    case .field(let name): ([.field(name)], schema.field(named: name)?.type == .string)
    case .template(let nodes): joined(nodes)
    case .call(let name, let nodes): called(name, nodes)
    case .chain(let first, let rest): sum(of: first, rest)
    default: nil
    }
  }

  private func joined(_ nodes: [ArcadeNode]) -> Joined? {
    var pieces: [LabelDefinition.Piece] = []
    for node in nodes {
      guard let next = self.pieces(of: node) else { return nil }
      pieces += next.pieces
    }
    return (pieces, true)
  }

  private func called(_ name: String, _ nodes: [ArcadeNode]) -> Joined? {
    switch (name, nodes.count) {
    case ("concatenate", 1...), ("text", 1): return joined(nodes)
    case ("domainname", 2):
      guard case .feature = nodes[0], case .text(let field) = nodes[1] else { return nil }
      return ([.domainName(field)], true)
    default: return nil
    }
  }

  private func sum(of first: ArcadeNode, _ rest: [(ArcadeOperator, ArcadeNode)]) -> Joined? {
    guard var sum = pieces(of: first) else { return nil }
    for (operation, node) in rest {
      guard operation == .add, let next = pieces(of: node), sum.isText || next.isText else {
        return nil
      }
      sum = (sum.pieces + next.pieces, true)
    }
    return sum
  }
}

internal import PortolanJSON

/// Whether a value is in a list, or a text in a text.
struct MembershipNode: ExpressionNode {
  let needle: any ExpressionNode
  let haystack: any ExpressionNode
  let type = ExpressionType.boolean

  var children: [any ExpressionNode] { [needle, haystack] }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 2...2), let pair = SearchPair.parse(list, context) else {
      return nil
    }
    return MembershipNode(needle: pair.needle, haystack: pair.haystack)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let needle = try needle.value(context)
    let haystack = try haystack.value(context)
    // A value that is not there, or counts as false, contains nothing.
    guard haystack.isTrue else { return .bool(false) }
    return .bool(try SearchPair.position(of: needle, in: haystack, from: nil) != nil)
  }
}

/// The index of a value in a list, or of a text in a text; -1 if it is not there.
struct PositionNode: ExpressionNode {
  let needle: any ExpressionNode
  let haystack: any ExpressionNode
  let start: (any ExpressionNode)?
  let type = ExpressionType.number

  var children: [any ExpressionNode] { [needle, haystack] + [start].compactMap(\.self) }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 2...3), let pair = SearchPair.parse(list, context) else {
      return nil
    }
    var start: (any ExpressionNode)?
    if list.count == 4 {
      guard let index = context.parse(list[3], at: 3, as: .number) else { return nil }
      start = index
    }
    return PositionNode(needle: pair.needle, haystack: pair.haystack, start: start)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let found = try SearchPair.position(
      of: needle.value(context), in: haystack.value(context), from: start?.value(context).number)
    return .number(Double(found ?? -1))
  }
}

/// A value to search for, and the list or text to search in.
private struct SearchPair {
  let needle: any ExpressionNode
  let haystack: any ExpressionNode

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> SearchPair? {
    guard let needle = context.parse(list[1], at: 1, as: .value),
      let haystack = context.parse(list[2], at: 2, as: .value)
    else { return nil }
    switch needle.type {
    case .boolean, .string, .number, .null, .value:
      return SearchPair(needle: needle, haystack: haystack)
    default:
      context.note("A boolean, string, number or null can be searched for, not a \(needle.type).")
      return nil
    }
  }

  static func position(
    of needle: StyleValue, in haystack: StyleValue, from start: Double?
  ) throws(EvaluationFault) -> Int? {
    switch needle {
    case .bool, .text, .number, .null: break
    default: throw .type("boolean, string, number or null", found: needle)
    }
    switch haystack {
    case .list(let elements):
      let first = bound(start, count: elements.count, countsFromEnd: true)
      return elements[first...].firstIndex(of: needle)
    case .text(let text):
      let word = needle == .null ? "null" : needle.text
      return position(of: Array(word.unicodeScalars), in: Array(text.unicodeScalars), start)
    default: throw .type("array or string", found: haystack)
    }
  }

  private static func position(
    of word: [Unicode.Scalar], in text: [Unicode.Scalar], _ start: Double?
  ) -> Int? {
    let first = bound(start, count: text.count, countsFromEnd: false)
    guard word.count <= text.count - first else { return nil }
    return (first...(text.count - word.count)).first { text[$0...].starts(with: word) }
  }

  private static func bound(_ start: Double?, count: Int, countsFromEnd: Bool) -> Int {
    guard let start, !start.isNaN else { return 0 }
    let whole = Int(min(max(start, -1e9), 1e9))
    return min(max(whole < 0 && countsFromEnd ? count + whole : whole, 0), count)
  }
}

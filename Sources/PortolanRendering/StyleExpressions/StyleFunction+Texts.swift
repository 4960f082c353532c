internal import PortolanMap

extension StyleFunction {
  /// Texts and lists that functions make are not longer.
  private static let maximumLength = 10_000

  /// The value of a function of texts and lists; `nil` if it is none.
  func text(_ values: [StyleValue]) -> StyleValue? {
    let first = values.first ?? .null
    switch self {
    case .concat: return .text(String(values.map(\.text).joined().prefix(Self.maximumLength)))
    case .upcase: return .text(first.text.uppercased())
    case .downcase: return .text(first.text.lowercased())
    case .length: return .number(Double(first.list?.count ?? first.text.count))
    case .at: return Self.element(values)
    case .slice: return Self.slice(values)
    case .indexOf: return Self.index(values)
    case .split:
      let separator = values.dropFirst().first?.text ?? ""
      let parts =
        separator.isEmpty
        ? first.text.map(String.init)
        : first.text.split(
          separator: separator, maxSplits: Self.maximumLength, omittingEmptySubsequences: false
        ).map(String.init)
      return .list(parts.map(StyleValue.text))
    case .join:
      let separator = values.dropFirst().first?.text ?? ""
      let text = (first.list ?? []).map(\.text).joined(separator: separator)
      return .text(String(text.prefix(Self.maximumLength)))
    // Pango shapes every script.
    case .isSupportedScript: return .bool(true)
    default: return nil
    }
  }

  private static func element(_ values: [StyleValue]) -> StyleValue {
    guard values.count == 2, let index = values[0].number.flatMap({ Int(exactly: $0) }),
      let list = values[1].list, list.indices.contains(index)
    else { return .null }
    return list[index]
  }

  /// Negative bounds count from the end.
  private static func slice(_ values: [StyleValue]) -> StyleValue {
    guard let first = values.first else { return .null }
    let count = first.list?.count ?? first.text.count
    let bounds = values.dropFirst().compactMap(\.number).map { bound -> Int in
      let whole = Int(Swift.min(Swift.max(bound, -1e6), 1e6))
      return Swift.min(Swift.max(whole < 0 ? count + whole : whole, 0), count)
    }
    let start = bounds.first ?? 0
    let end = bounds.count > 1 ? Swift.max(bounds[1], start) : count
    if let list = first.list { return .list(Array(list[start..<end])) }
    return .text(String(first.text.prefix(end).dropFirst(start)))
  }

  private static func index(_ values: [StyleValue]) -> StyleValue {
    guard values.count >= 2 else { return .number(-1) }
    let start = Swift.max(values.dropFirst(2).first?.number ?? 0, 0)
    if let list = values[1].list {
      let place = list.indices.first { Double($0) >= start && list[$0] == values[0] }
      return .number(Double(place ?? -1))
    }
    let text = values[1].text
    let rest = text.dropFirst(Int(Swift.min(start, 1e6)))
    guard let range = rest.firstRange(of: values[0].text) else { return .number(-1) }
    return .number(Double(text.distance(from: text.startIndex, to: range.lowerBound)))
  }

  /// The value of a function that makes one kind of value from another; `nil` if it is none.
  func conversion(_ values: [StyleValue]) -> StyleValue? {
    switch self {
    case .toString, .image: return .text(values.first?.text ?? "")
    case .toNumber: return values.lazy.compactMap(\.number).first.map(StyleValue.number)
    case .toBoolean: return .bool(values.first?.isTrue ?? false)
    case .toColor: return values.lazy.compactMap(\.color).first.map(StyleValue.color)
    case .string, .number, .boolean:
      // Assertions: the first value of the kind, where several are given.
      return values.first { $0.typeName == rawValue }
    case .array: return values.last { $0.list != nil }
    case .typeof: return .text(values.first?.typeName ?? "null")
    case .toRGBA:
      guard let color = values.first?.color else { return nil }
      return .list(
        [color.red, color.green, color.blue].map { .number(Double($0)) }
          + [.number(Double(color.alpha) / 255)])
    case .rgb, .rgba, .hsl, .hsla:
      let parts = values.compactMap(\.number)
      guard parts.count >= 3, parts.count == values.count else { return nil }
      let alpha = parts.count > 3 ? parts[3] : 1
      if self == .hsl || self == .hsla {
        return StyleColor.color(
          "hsla(\(parts[0]),\(parts[1])%,\(parts[2])%,\(alpha))"
        ).map(StyleValue.color)
      }
      return .color(StyleColor.color(parts[0] / 255, parts[1] / 255, parts[2] / 255, alpha))
    default: return nil
    }
  }
}

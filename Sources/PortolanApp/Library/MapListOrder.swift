internal import Foundation

/// The order of a list of maps.
public enum MapListOrder: String, Hashable, Sendable, Codable, CaseIterable {
  /// Sorted by title, as people sort names.
  case title
  /// The largest first.
  case size
  /// Sorted by date: those first that came to this device last, or that their portal changed last.
  case date
}

extension [MapListItem] {
  /// The rows whose titles and summaries have all words of a text, in any order, case and accents
  /// aside; all for a text without words.
  public func matching(_ text: String) -> [MapListItem] {
    let words = text.split(whereSeparator: \.isWhitespace)
    return filter { item in
      let own = [item.title, item.summary ?? ""].joined(separator: " ")
      return words.allSatisfy { word in
        own.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil
      }
    }
  }

  /// The rows in another order: what is on this device, then everything else.
  public func sorted(by order: MapListOrder) -> [MapListItem] {
    let rows = enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.canOpenOffline != second.canOpenOffline { return first.canOpenOffline }
      return switch order.comparison(first, second) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: left.offset < right.offset
      }
    }
    return rows.map(\.element)
  }
}

extension MapListOrder {
  fileprivate func comparison(_ first: MapListItem, _ second: MapListItem) -> ComparisonResult {
    switch self {
    case .title:
      first.title.compare(
        second.title, options: [.caseInsensitive, .diacriticInsensitive, .numeric])
    case .size: Self.descending(first.byteCount ?? 0, second.byteCount ?? 0)
    case .date: Self.descending(first.date, second.date)
    }
  }

  private static func descending<Value: Comparable>(
    _ first: Value, _ second: Value
  ) -> ComparisonResult {
    first == second ? .orderedSame : first > second ? .orderedAscending : .orderedDescending
  }
}

extension MapListItem {
  fileprivate var date: Date { copy?.installed ?? modified ?? .distantPast }
}

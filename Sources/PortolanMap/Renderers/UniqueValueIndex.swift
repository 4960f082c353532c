internal import Foundation
internal import PortolanFeatures

/// The classes of a unique value renderer by their values, so that finding one takes no search.
///
/// Documents hold values as texts. A number in a feature finds the class of the same text, else
/// the class of the same number written differently (`1.0`); text must match exactly.
struct UniqueValueIndex: Hashable, Sendable {
  private var classesByText: [String: UniqueValueRenderer.UniqueValueClass] = [:]
  private var classesByNumber: [String: UniqueValueRenderer.UniqueValueClass] = [:]
  private let delimiter: String

  /// Of classes with the same value the first is found.
  init(_ classes: [UniqueValueRenderer.UniqueValueClass], delimiter: String) {
    self.delimiter = delimiter
    for entry in classes {
      for values in entry.values {
        classesByText[values.joined(separator: delimiter)] =
          classesByText[values.joined(separator: delimiter)] ?? entry
        let plain = values.map(Self.plainNumber).joined(separator: delimiter)
        classesByNumber[plain] = classesByNumber[plain] ?? entry
      }
    }
  }

  func uniqueClass(of values: [AttributeValue]) -> UniqueValueRenderer.UniqueValueClass? {
    let text = values.map(Self.text).joined(separator: delimiter)
    if let found = classesByText[text] { return found }
    return values.contains { $0.number != nil } ? classesByNumber[text] : nil
  }

  /// A value as documents write it.
  static func text(of value: AttributeValue) -> String {
    switch value {
    case .null, .blob: UniqueValueRenderer.nullText
    case .integer(let number): String(number)
    case .double(let number): plainText(of: number)
    case .text(let text): text
    case .date(let date): plainText(of: (date.timeIntervalSince1970 * 1000).rounded())
    }
  }

  private static func plainNumber(_ text: String) -> String {
    guard text.utf8.count <= 40, let number = Double(text), number.isFinite else { return text }
    return plainText(of: number)
  }

  private static func plainText(of number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? "\(number)"
  }
}

extension AttributeValue {
  /// The value as stores compare it: moments in milliseconds, not-a-number as `null`.
  var comparable: AttributeValue {
    switch self {
    case .date(let date): .milliseconds(of: date)
    case .double(let double) where double.isNaN: .null
    default: self
    }
  }

  /// Which of two values is the greater: -1, 0 or 1; `nil` if one is missing.
  ///
  /// As in SQLite, numbers come before texts and texts before blobs; text is ordered by its bytes.
  func order(_ other: AttributeValue) -> Int? {
    switch (self, other) {
    case (.null, _), (_, .null): return nil
    case (.text(let left), .text(let right)): return Self.order(left.utf8, right.utf8)
    case (.blob(let left), .blob(let right)): return Self.order(left, right)
    default:
      let (rank, otherRank) = (storageRank, other.storageRank)
      if rank != otherRank { return rank < otherRank ? -1 : 1 }
      return SQLNumber.order(self, other)
    }
  }

  /// Which of two values comes first in ascending order: below 0 if this one, 0 if either.
  ///
  /// As in SQLite, `null` precedes everything, numbers precede texts, texts before blobs;
  /// text is ordered by its bytes, dates as the numbers that they are.
  public func sortOrder(_ other: AttributeValue) -> Int {
    let (left, right) = (comparable, other.comparable)
    return left.order(right) ?? (left.isNull ? 0 : 1) - (right.isNull ? 0 : 1)
  }

  private var storageRank: Int {
    switch self {
    case .null: 0
    case .integer, .double, .date: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order<Bytes: Collection<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}

public import PortolanConversion

/// The progress of writing a file.
public struct WorkProgress: Hashable, Sendable, Codable {
  /// The unit of progress.
  public enum Unit: String, Hashable, Sendable, Codable {
    case rows
    case tiles
    case files
  }

  /// The table, file or set of tiles that is being written.
  public var part: String
  /// The unit of progress.
  public var unit: Unit
  /// The number of finished units of the part.
  public var completed: Int
  /// The total number of units, if that is known.
  public var total: Int?

  /// Creates a report.
  public init(part: String, unit: Unit, completed: Int, total: Int?) {
    self.part = part
    self.unit = unit
    self.completed = completed
    self.total = total
  }

  /// The finished fraction of the part, from 0 to 1, if the whole is known.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}

extension WorkProgress {
  /// The report of a conversion.
  public init(_ progress: ConversionProgress) {
    let unit: Unit =
      switch progress.unit {
      case .rows: .rows
      case .tiles: .tiles
      case .files: .files
      }
    self.init(
      part: progress.part, unit: unit, completed: progress.completed, total: progress.total)
  }
}

/// The values that a field may take.
public enum Domain: Hashable, Sendable, Codable {
  case codedValue(CodedValueDomain)
  case range(RangeDomain)

  /// The name.
  public var name: String {
    switch self {
    case .codedValue(let domain): domain.name
    case .range(let domain): domain.name
    }
  }
}

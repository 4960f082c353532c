internal import Foundation
internal import PortolanJSON

/// Finds the parts of a source's record that may be keys: user and password, values of queries, and
/// headers.
///
/// Rather too much than too little counts as a key: what is kept apart is put in again.
enum SourceKeys {
  /// What the names of values that are keys contain.
  private static let words = [
    "key", "token", "secret", "sig", "pass", "pwd", "auth", "credential", "session", "code",
  ]
  /// Values of so many characters are keys, whatever they are called.
  private static let longestPlain = 24
  /// The names of values that are nothing but keys, as letters and digits alone.
  ///
  /// Others may only sound like that: a session may say which of the maps of a service is meant, and a
  /// "layerkey" which layer. Taking one for a key would mix the tiles of two sources.
  private static let keyNames: Set<String> = [
    "key", "apikey", "xapikey", "accesskey", "appkey", "authkey", "secretkey", "securitykey",
    "subscriptionkey", "ocpapimsubscriptionkey", "userkey", "licensekey",
    "token", "accesstoken", "apitoken", "authtoken", "securitytoken", "xamzsecuritytoken",
    "secret", "clientsecret", "appsecret", "apisecret",
    "credential", "xamzcredential", "xgoogcredential",
    "sig", "signature", "auth", "pass", "password", "pwd",
  ]
  /// Headers that say who asks, and for what.
  private static let plainHeaders: Set<String> = [
    "accept", "accept-language", "accept-encoding", "referer", "origin", "user-agent", "from",
  ]

  /// The record with another text instead of each key.
  static func replacing(
    in record: JSONValue, _ other: (String) throws -> String
  ) rethrows -> JSONValue {
    guard var object = record.object else { return record }
    for name in ["template", "address", "archive"] {
      guard let address = object[name]?.string else { continue }
      object[name] = .string(try replacing(inAddress: address, other))
    }
    if let alternatives = object["alternatives"]?.array {
      object["alternatives"] = .array(
        try alternatives.map { .string(try replacing(inAddress: $0.string ?? "", other)) })
    }
    if let headers = object["headers"]?.array {
      object["headers"] = .array(
        try headers.map { field in
          guard let name = field[0]?.string, let value = field[1]?.string, !value.isEmpty,
            !plainHeaders.contains(name.lowercased())
          else { return field }
          return [.string(name), .string(try other(value))]
        })
    }
    return .object(object)
  }

  private static func replacing(
    inAddress address: String,
    where isKey: (_ value: Substring, _ name: Substring) -> Bool = SourceKeys.isKey(_:named:),
    _ other: (String) throws -> String
  ) rethrows -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    var result = try replacing(inPath: path, other)
    let rest = address[path.endIndex...]
    guard rest.first == "?" else { return result + rest }
    let query = rest.dropFirst().prefix { $0 != "#" }
    let pairs = try query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, isKey(sides[1], sides[0]) else { return String(pair) }
      return try "\(sides[0])=\(other(String(sides[1])))"
    }
    result += "?" + pairs.joined(separator: "&")
    return result + rest[query.endIndex...]
  }

  /// User and password precede the host.
  private static func replacing(
    inPath path: Substring, _ other: (String) throws -> String
  ) rethrows -> String {
    guard let root = path.range(of: "://")?.upperBound else { return String(path) }
    let host = path[root...].prefix { $0 != "/" }
    guard let end = host.lastIndex(of: "@"), end > root else { return String(path) }
    return try path[..<root] + other(String(path[root..<end])) + path[end...]
  }

  /// An address without user, password and the values that are called keys.
  ///
  /// A value that is only long stays, and so does one with a name such as "design" or "layerkey": two sources
  /// may differ by nothing else.
  static func withoutNamedKeys(_ address: String) -> String {
    replacing(inAddress: address, where: isCalledKey(_:_:)) { _ in "" }
  }

  private static func isCalledKey(_ value: Substring, _ name: Substring) -> Bool {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return isOfSignature(value, plain)
      || isKey(value, named: name) && keyNames.contains(plain)
  }

  /// Whether a value belongs to the signature of an address of an object store, such as the time at which that
  /// ends: with each new signature it is another one.
  ///
  /// - SeeAlso: AWS Signature Version 4, V4 signing of Google Cloud Storage, shared access signatures of Azure
  private static func isOfSignature(_ value: Substring, _ name: String) -> Bool {
    guard !value.isEmpty, !value.contains("{") else { return false }
    if ["xamz", "xgoog"].contains(where: { name.hasPrefix($0) }) { return true }
    // A name of two letters may be one of anything, unless its value is a time.
    return switch name {
    case "st", "se", "skt", "ske":
      value.prefix(4).allSatisfy(\.isNumber) && value.dropFirst(4).first == "-"
    case "expires": value.count >= 9 && value.allSatisfy(\.isNumber)
    default: false
    }
  }

  /// What an address asks for in its query, beside the values that are called keys.
  static func plainQuery(of address: String) -> Set<String> {
    Set(pairs(inQueryOf: address).filter { !isCalledKey($0) }.map(String.init))
  }

  /// Whether two addresses ask for different things in their queries.
  ///
  /// Values that are called keys do not count, nor do those of a copy whose key file is not here.
  ///
  /// - Parameters:
  ///   - one: An address.
  ///   - other: Another one.
  ///   - namesOfBoth: Whether only names that both have count.
  /// - Returns: Whether they do.
  static func differInQuery(
    _ one: String, _ other: String, namesOfBoth: Bool = false
  ) -> Bool {
    let (one, other) = (plainQuery(of: one), plainQuery(of: other))
    let names = Set(one.map(name(of:))).intersection(other.map(name(of:)))
    let hidden = Set(one.union(other).filter(hasMark).map(name(of:)))
    return one.symmetricDifference(other).contains { pair in
      let name = name(of: pair)
      return !hidden.contains(name) && (!namesOfBoth || name != "f" && names.contains(name))
    }
  }

  private static func name(of pair: String) -> String {
    String(pair.prefix { $0 != "=" })
  }

  private static func hasMark(_ pair: String) -> Bool {
    SourceKeyFile.isMark(pair.drop { $0 != "=" }.dropFirst())
  }

  /// The keys that an address has in its query, with their names.
  static func keys(inQueryOf address: String) -> [Substring] {
    pairs(inQueryOf: address).filter(isKey)
  }

  private static func pairs(inQueryOf address: String) -> [Substring] {
    address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.split(separator: "&")
  }

  private static func isCalledKey(_ pair: Substring) -> Bool {
    let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return sides.count == 2 && isCalledKey(sides[1], sides[0])
  }

  private static func isKey(_ pair: Substring) -> Bool {
    let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return sides.count == 2 && isKey(sides[1], named: sides[0])
  }

  private static func isKey(_ value: Substring, named name: Substring) -> Bool {
    // A place for the numbers of tiles is none.
    guard !value.isEmpty, !value.contains("{") else { return false }
    let name = name.lowercased()
    return value.count >= longestPlain || words.contains { name.contains($0) }
  }
}

public import PortolanJSON

/// The settings in effect for one run: every setting with its value and its origin.
///
/// An option of the command line wins over the environment, that over the file, that over the
/// default.
public struct Settings: Hashable, Sendable, Codable {
  /// The origin of a value.
  public enum Origin: String, Hashable, Sendable, Codable {
    case defaultValue = "default"
    case file
    case environment
    case flag
  }

  /// A value and where it comes from.
  public struct Entry: Hashable, Sendable, Codable {
    /// The value that holds.
    public var value: SettingValue
    /// The origin of the value.
    public var origin: Origin
  }

  /// A value in a source of settings that cannot be used.
  public enum Fault: Hashable, Sendable, Codable {
    /// The file is no JSON object.
    case unreadableFile(reason: String)
    /// The file has a key that means nothing.
    case unknownKey(String)
    /// A value is not as expected; what comes next in order holds instead.
    case wrongValue(SettingKey, origin: Origin)
  }

  /// The settings by key.
  public private(set) var entries: [SettingKey: Entry] = [:]
  /// The values that could not be used.
  public private(set) var faults: [Fault] = []

  /// Works out what holds.
  ///
  /// - Parameters:
  ///   - file: The contents of the file; `nil` if there is none.
  ///   - environment: The environment of the process.
  ///   - flags: What the command line says.
  public init(
    file: JSONObject? = nil, environment: [String: String] = [:],
    flags: [SettingKey: String] = [:]
  ) {
    for member in file?.members ?? [] where SettingKey(rawValue: member.name) == nil {
      faults.append(.unknownKey(member.name))
    }
    for key in SettingKey.allCases {
      entries[key] =
        entry(key, .flag, typed: flags[key])
        ?? entry(key, .environment, typed: environment[key.variable])
        ?? entry(key, file?[key.rawValue])
        ?? Entry(value: key.defaultValue, origin: .defaultValue)
    }
  }

  /// The settings of a file that could not be read, and why.
  init(
    unreadableFile reason: String, environment: [String: String], flags: [SettingKey: String]
  ) {
    self.init(environment: environment, flags: flags)
    faults.insert(.unreadableFile(reason: reason), at: 0)
  }

  private mutating func entry(_ key: SettingKey, _ origin: Origin, typed text: String?) -> Entry? {
    // An empty variable counts as unset, as everywhere.
    guard let text, origin == .flag || !text.isEmpty else { return nil }
    if let value = key.kind.value(typed: text) { return Entry(value: value, origin: origin) }
    faults.append(.wrongValue(key, origin: origin))
    return nil
  }

  private mutating func entry(_ key: SettingKey, _ json: JSONValue?) -> Entry? {
    guard let json else { return nil }
    if let value = key.kind.value(json: json) { return Entry(value: value, origin: .file) }
    faults.append(.wrongValue(key, origin: .file))
    return nil
  }
}

extension Settings {
  /// The value of a setting.
  public subscript(key: SettingKey) -> SettingValue { entries[key]?.value ?? key.defaultValue }

  /// The origin of a setting's value.
  public func origin(of key: SettingKey) -> Origin { entries[key]?.origin ?? .defaultValue }

  /// The portal's address as it was typed, unless none was set.
  public var chosenPortal: String? {
    origin(of: .portal) == .defaultValue ? nil : self[.portal].text
  }

  /// The origin of the portal's address, to begin a sentence with; `nil` if a user has named it, or
  /// nobody.
  public var portalSource: String? {
    switch origin(of: .portal) {
    case .environment: SettingKey.portal.variable
    case .file: "The setting \"\(SettingKey.portal.rawValue)\""
    case .flag, .defaultValue: nil
    }
  }

  /// The app's id at the portal.
  public var oauthClientID: String { self[.oauthClientID].text }

  /// The default search text on ArcGIS Online.
  public var searchText: String { self[.searchText].text }

  /// The key of Bing Maps, if there is one.
  public var bingKey: String? { self[.bingKey].text.isEmpty ? nil : self[.bingKey].text }

  /// The number of items on a page.
  public var pageSize: Int { number(.pageSize) }

  /// The number of files fetched from a host at a time.
  public var parallelDownloads: Int { number(.parallelDownloads) }

  /// Hosts, in lower case, whose certificate is not checked.
  public var anyCertificateHosts: Set<String> { hosts(.anyCertificateHosts) }

  /// Hosts, in lower case, that get passwords and tokens by plain HTTP.
  public var plainHTTPHosts: Set<String> { hosts(.plainHTTPHosts) }

  /// The most bytes of tiles that no region keeps.
  public var tileCacheSize: Int { number(.tileCacheSize) * 1_000_000 }

  /// The most bytes of tiles that are loaded ahead; 0 for none.
  public var tilePrediction: Int { number(.tilePrediction) * 1_000_000 }

  /// The condition under which stored maps are synchronized in the background.
  public var backgroundSync: BackgroundSync {
    BackgroundSync(rawValue: self[.backgroundSync].text) ?? .off
  }

  private func hosts(_ key: SettingKey) -> Set<String> {
    guard case .list(let hosts) = self[key] else { return [] }
    // An address of IPv6 is named in messages between brackets.
    return Set(
      hosts.map { $0.hasPrefix("[") && $0.hasSuffix("]") ? String($0.dropFirst().dropLast()) : $0 })
  }

  private func number(_ key: SettingKey) -> Int {
    if case .number(let number) = self[key] { number } else { 0 }
  }
}

extension Settings.Fault {
  /// The fault, in a sentence.
  public var sentence: String {
    switch self {
    case .unreadableFile(let reason): "The settings file is not used: \(reason)"
    case .unknownKey(let key): "The settings file contains \"\(key)\", which is not a setting."
    case .wrongValue(let key, .file):
      "\"\(key.rawValue)\" in the settings file is not used: it must be \(key.kind.expectation)."
    case .wrongValue(let key, .environment):
      "\(key.variable) is not used: it must be \(key.kind.expectation)."
    case .wrongValue(let key, _):
      "\"\(key.rawValue)\" is not used: it must be \(key.kind.expectation)."
    }
  }
}

public import Foundation

/// The options that every command takes, before or after the command's name.
public struct GlobalOptions: Hashable, Sendable {
  /// The format of results.
  public enum Format: Hashable, Sendable {
    /// Tables and sentences.
    case text
    /// One JSON document a command.
    case json
  }

  /// The folder given for what Portolan keeps, if one was.
  public var home: String?
  /// The portal given, if one was.
  public var portal: URL?
  /// Whether to behave as with no network.
  public var isOffline = false
  /// The format of results.
  public var format = Format.text
  /// Whether notes and progress are left out.
  public var isQuiet = false
  /// Whether colour is refused.
  public var refusesColor = false
  /// Whether questions are answered with yes.
  public var assumesYes = false
  /// Whether help was asked for instead of the command.
  public var wantsHelp = false
  /// Whether the version was asked for instead of the command.
  public var wantsVersion = false

  /// The options of a command line that names none.
  public init() {}
}

extension GlobalOptions {
  static let homeOption = Parameter.option(
    "home", "DIR", "The folder that keeps what Portolan stores.", completion: .file)
  static let portalOption = Parameter.option(
    "portal", "URL", "The portal; the one in use unless given.")
  static let offlineFlag = Parameter.flag("offline", "Behave as without a network.")
  static let jsonFlag = Parameter.flag("json", "Write results as one JSON document.")
  static let quietFlag = Parameter.flag("quiet", "Leave out notes and progress.")
  static let noColorFlag = Parameter.flag("no-color", "Write without colour.")
  static let yesFlag = Parameter.flag("yes", "Answer questions with yes.")
  static let helpFlag = Parameter.flag("help", "Explain the command instead of running it.")
  static let versionFlag = Parameter.flag("version", "Print the version.")

  /// The declarations, for parsing, help and completion.
  static let parameters = [
    homeOption, portalOption, offlineFlag, jsonFlag, quietFlag, noColorFlag, yesFlag, helpFlag,
    versionFlag,
  ]

  /// Whether words that may not be understood otherwise ask for JSON.
  static func asksForJSON(in words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains("--" + jsonFlag.name)
  }

  /// Takes over one option; options given before stay as they are.
  mutating func set(_ parameter: Parameter, to value: String?) throws(UsageError) {
    switch parameter {
    case Self.homeOption: home = try Self.folder(value ?? "", named: Self.homeOption.label)
    case Self.portalOption: portal = try Self.portal(value ?? "")
    case Self.offlineFlag: isOffline = true
    case Self.jsonFlag: format = .json
    case Self.quietFlag: isQuiet = true
    case Self.noColorFlag: refusesColor = true
    case Self.yesFlag: assumesYes = true
    case Self.helpFlag: wantsHelp = true
    case Self.versionFlag: wantsVersion = true
    default: throw UsageError("\(parameter.label) is not an option of every command.")
    }
  }

  /// The scheme of an address that was typed without one: on this machine itself the connection
  /// cannot be intercepted on the way, and servers that are tried out there seldom have a
  /// certificate.
  private static func scheme(of address: String) -> String {
    // A text that is no address has no host either, and is refused as such.
    let host = URL(string: "http://" + address)?.host()?.lowercased() ?? ""
    return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
      ? "http" : "https"
  }

  /// A folder by its path, whose bytes must be what they look like: another folder would be used else.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - name: What names it, such as an option.
  /// - Returns: The path.
  /// - Throws: ``UsageError`` if it is empty, which would be the present folder, not in UTF-8, or
  ///   that of a file or of something in a file.
  public static func folder(_ path: String, named name: String) throws(UsageError) -> String {
    guard !path.isEmpty else {
      throw UsageError("\(name) is \"\"; it must be the path of a folder.")
    }
    guard !path.isFromOtherEncoding else {
      throw UsageError(
        "\(name) is not in UTF-8, so that the folder cannot be opened.",
        suggestion: "Make a link to it with another name, and give that.")
    }
    let parts = URL(filePath: path).absoluteURL.path(percentEncoded: false).split(separator: "/")
    guard let count = partsOfFile(in: parts) else { return path }
    let file = "/" + parts.prefix(count).joined(separator: "/")
    throw UsageError(
      "\(name) is \"\(path)\", "
        + (count == parts.count ? "which is a file." : "but \"\(file)\" is a file."),
      suggestion: "Give the path of a folder.")
  }

  /// The number of components of a folder's path that lead to a file, which is in its way; `nil` if
  /// there is none.
  private static func partsOfFile(in parts: [Substring]) -> Int? {
    for count in (1...max(1, parts.count)).reversed() {
      let path = "/" + parts.prefix(count).joined(separator: "/")
      let place = URL(filePath: path).resolvingSymlinksInPath()
      // A place that does not exist yet, or cannot be examined, may become a folder.
      let values = try? place.resourceValues(forKeys: [.isDirectoryKey])
      if let isFolder = values?.isDirectory { return isFolder ? nil : count }
    }
    return nil
  }

  private static func portal(_ text: String) throws(UsageError) -> URL {
    let address = text.contains("://") ? text : scheme(of: text) + "://" + text
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host()?.isEmpty == false
    else {
      throw UsageError(
        "--portal is \"\(text)\"; it must be the address of a portal.",
        suggestion: "For example: --portal https://www.arcgis.com")
    }
    return url
  }
}

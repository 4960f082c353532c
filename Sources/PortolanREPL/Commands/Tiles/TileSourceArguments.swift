internal import Foundation
internal import PortolanApp

/// The arguments of a tile source beyond its address.
enum TileSourceArguments {
  static let layer = Parameter.option("layer", "NAME", "The layer of a WMTS.")
  static let highestLevel = Parameter.option(
    "max-level", "N", "The highest level of the source, where it does not say so itself.")
  static let header = Parameter.option(
    "header", "NAME:VALUE",
    "A header of every request, such as a key; those that hold secrets are not kept.", count: .any)
  static let userAgent = Parameter.option(
    "user-agent", "TEXT", "The User-Agent header, where the operator wants one.")
  static let subdomains = Parameter.option(
    "subdomains", "A,B,C", "The values of {s}, used in turn; a, b and c unless given.")
  static let highResolution = Parameter.flag(
    "high-resolution", "{r} stands for @2x, as for dense screens.")
  static let attribution = Parameter.option("attribution", "TEXT", "The attribution.")
  static let overZoomCaching = Parameter.option(
    "cache-over-zoom", "on|off",
    "Whether pictures that are enlarged beyond the last level are kept; off unless given.",
    completion: .choice(["on", "off"]))
  static let emptyTiles = Parameter.option(
    "empty-tiles", "on|off",
    "Whether tiles that the source has emptied replace those of a region at an update; off unless "
      + "given.",
    completion: .choice(["on", "off"]))

  static let freshness = Parameter.option(
    "fresh-for", "DAYS",
    "How old a tile may be before its server is asked again: a number of days, always, or server, "
      + "which leaves it to the server.")

  static let all = [
    layer, highestLevel, header, userAgent, subdomains, highResolution, attribution,
    overZoomCaching, emptyTiles, freshness,
  ]

  /// The options that a command line gives.
  static func options(_ arguments: Arguments) throws(UsageError) -> TileSourceOptions {
    var options = TileSourceOptions()
    options.layer = try arguments.value(of: layer, as: .text)
    options.highestLevel = try arguments.value(of: highestLevel, as: .integer(in: 1...25))
    for field in try arguments.values(of: header, as: .headerField) {
      options.headers[field.name] = field.value
    }
    options.userAgent = try arguments.value(of: userAgent, as: .text)
    options.subdomains = try arguments.value(of: subdomains, as: .text)?
      .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    if arguments.isSet(highResolution) { options.isHighResolution = true }
    options.attribution = try arguments.value(of: attribution, as: .text)
    options.cachesOverZoom = try arguments.value(of: overZoomCaching, as: .choice(["on", "off"]))
      .map { $0 == "on" }
    options.allowsEmptyTiles = try arguments.value(of: emptyTiles, as: .choice(["on", "off"]))
      .map { $0 == "on" }
    options.freshness = try arguments.value(of: freshness, as: .tileFreshness)
    return options
  }
}

extension ValueFormat<TileSourceOptions.Freshness> {
  /// Days, `always` or `server`.
  static let tileFreshness = ValueFormat("a number of days, \"always\" or \"server\"") { text in
    switch text.lowercased() {
    case "server": return .server
    case "always": return .always
    default:
      guard let days = Double(text), days > 0, days.isFinite else { return nil }
      return .fixed(seconds: days * 86_400)
    }
  }
}

/// A field of a request.
struct HeaderField: Sendable {
  let name: String
  let value: String
}

extension ValueFormat<HeaderField> {
  /// `NAME:VALUE`.
  static let headerField = ValueFormat("a name and a value, such as X-Key:abc") { text in
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let isToken = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.!#$%&'*+^`|~".contains($0))
    }
    guard parts.count == 2, !name.isEmpty, isToken, !parts[1].contains(where: \.isNewline) else {
      return nil
    }
    return HeaderField(name: name, value: String(parts[1].drop { $0 == " " }))
  }
}

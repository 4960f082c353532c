internal import Foundation
internal import PortolanGeometry

/// The place that a link to a map shows, as people paste it: a `geo:` link, or the address of a page
/// of Google Maps, OpenStreetMap, Bing Maps, Apple Maps or ArcGIS.
///
/// Nothing is asked of the network: a link whose place only its server knows, such as a short one,
/// shows none.
struct MapLink: Hashable, Sendable {
  /// What is read of a link, in bytes; those of pages with several places are long.
  private static let longest = 4096
  /// The parameters whose value is a place, with the one that a person has chosen before the middle
  /// of the map.
  private static let places = [
    "q", "query", "destination", "daddr", "coordinate", "viewpoint", "ll", "sll", "center", "cp",
  ]
  /// What is in the addresses of the map viewers of ArcGIS.
  private static let viewers = ["arcgis", "mapviewer", "webmap"]

  /// Longitude and latitude on WGS 84.
  let coordinate: Coordinate

  /// Reads a text; `nil` if it is no link that has a place in it.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.contains(UInt8(ascii: ":")) else {
      return nil
    }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["geo", "http", "https"].contains(scheme) else { return nil }
    let link = text.removingPercentEncoding ?? text
    let place =
      scheme == "geo" ? Self.geoPlace(link.dropFirst("geo:".count)) : Self.webPlace(link)
    guard let place, abs(place.y) <= 90 else { return nil }
    coordinate = place
  }

  /// `44.4,-68.2;u=35?z=12`, or `0,0?q=44.4,-68.2(Name)` where the place is a name to look for.
  private static func geoPlace(_ link: Substring) -> Coordinate? {
    let parts = link.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let front = parts.first else { return nil }
    let asked = parts.dropFirst().first.flatMap { parameters(of: $0)["q"] }.flatMap(pair(at:))
    return asked ?? pair(at: front)
  }

  private static func webPlace(_ link: String) -> Coordinate? {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let page = parts.first ?? ""
    let fragment = parts.dropFirst().first ?? ""
    let query = page.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let parameters = parameters(of: query)
    // Google's place itself, which need not be in the middle of the map.
    if let place = page.matches(of: #/!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/#).last {
      return coordinate(place.1, place.2)
    }
    if let latitude = parameters["mlat"], let longitude = parameters["mlon"] {
      return coordinate(latitude, longitude)
    }
    if let pin = parameters["sp"]?.firstMatch(
      of: #/point\.(-?\d+(?:\.\d+)?)_(-?\d+(?:\.\d+)?)/#)
    {
      return coordinate(pin.1, pin.2)
    }
    for name in places {
      guard let value = parameters[name], let place = pair(at: value) else { continue }
      // The viewers of ArcGIS have the longitude first.
      let isSwapped = name == "center" && viewers.contains { page.contains($0) }
      return isSwapped ? Coordinate(x: place.y, y: place.x) : place
    }
    let path = page.prefix { $0 != "?" }
    if let place = path.split(separator: "/").lazy.compactMap(pair(at:)).first { return place }
    if let middle = page.firstMatch(of: #/@(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/#) {
      return coordinate(middle.1, middle.2)
    }
    let middle = fragment.firstMatch(of: #/map=[\d.]+/(-?\d+(?:\.\d+)?)/(-?\d+(?:\.\d+)?)/#)
    return middle.flatMap { coordinate($0.1, $0.2) }
  }

  private static func parameters(of query: Substring) -> [String: Substring] {
    var parameters: [String: Substring] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { continue }
      parameters[pair[0].lowercased()] = pair[1]
    }
    return parameters
  }

  /// The place at the beginning of a text: two numbers with a comma, or with the tilde of Bing.
  private static func pair(at text: Substring) -> Coordinate? {
    let form = #/(?:loc:)?\+?(-?\d+(?:\.\d+)?)[,~]\s*\+?(-?\d+(?:\.\d+)?)(?:[^\d.].*)?/#
    return text.wholeMatch(of: form).flatMap { coordinate($0.1, $0.2) }
  }

  private static func coordinate(_ latitude: Substring, _ longitude: Substring) -> Coordinate? {
    guard let y = Double(latitude), let x = Double(longitude), abs(x) <= 180 else { return nil }
    // A latitude is checked once it is known which of the two it is.
    return abs(y) <= 180 ? Coordinate(x: x, y: y) : nil
  }
}

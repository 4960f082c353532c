internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// The time for which a cached tile counts as fresh.
///
/// A tile that is too old is requested again when there is a network; without one it is served as
/// it is.
public enum TileExpiry: Hashable, Sendable {
  /// For ever.
  case never
  /// For a time of our own.
  case fixed(seconds: Double)
  /// As long as the server says; for `unlessTold` seconds if it says nothing.
  case server(unlessTold: Double)

  /// A week, as the operators of public servers ask for, unless the server says otherwise.
  public static let standard = TileExpiry.server(unlessTold: 604_800)

  /// Whether a tile is fresh.
  ///
  /// A tile that seems to come from the future is not: the clock was wrong then or is now, so that
  /// its age is unknown.
  func isFresh(fetched: Date, lifetime: Double?, now: Date) -> Bool {
    let age = now.timeIntervalSince(fetched)
    guard age >= 0 else { return false }
    return switch self {
    case .never: true
    case .fixed(let seconds): age <= seconds
    case .server(let fallback): age <= lifetime ?? fallback
    }
  }
}

extension TileExpiry {
  /// The record; `nil` for the ``standard``.
  var json: JSONValue? {
    guard self != .standard else { return nil }
    return switch self {
    case .never: .string("never")
    case .fixed(let seconds): ["fixed": .number(seconds)]
    case .server(let fallback): ["unlessTold": .number(fallback)]
    }
  }

  /// Reads a record; `nil` for one that is none.
  init?(json: JSONValue) {
    if json.string == "never" {
      self = .never
    } else if let seconds = json["fixed"]?.double {
      self = .fixed(seconds: seconds)
    } else if let fallback = json["unlessTold"]?.double {
      self = .server(unlessTold: fallback)
    } else {
      return nil
    }
  }
}

extension MapCacheConfig {
  /// Whether what a cache knows of a tile is fresh.
  func isFresh(_ stored: StoredTile, now: Date) -> Bool {
    guard stored.data == nil else {
      return expiry.isFresh(fetched: stored.fetched, lifetime: stored.lifetime, now: now)
    }
    // A server that says for how long is believed, up to our own time.
    let lifetime = min(absenceLifetime, stored.lifetime ?? absenceLifetime)
    return TileExpiry.fixed(seconds: lifetime).isFresh(
      fetched: stored.fetched, lifetime: nil, now: now)
  }
}

/// A response's statement about how long it may be used.
struct TileFreshness: Hashable, Sendable {
  /// For how many seconds; `nil` if it says nothing.
  var lifetime: Double?
  /// Whether it must not be kept at all.
  var mayNotBeStored = false

  /// Reads `Cache-Control`, `Age` and `Expires` (RFC 9111, 4.2.1).
  ///
  /// `Expires` is compared with the server's own `Date`, so that a clock of ours that is wrong does
  /// not matter; where the server does not tell it, with the time at which the answer came (RFC 9110, 6.6.1).
  init(_ headers: HTTPHeaders, receivedAt now: Date) {
    let directives = headers.values(of: "Cache-Control").joined(separator: ",").lowercased()
      .split { ", \t".contains($0) }
    mayNotBeStored = directives.contains("no-store")
    let age = max(0, headers["Age"].flatMap { Double($0) } ?? 0)
    if directives.contains("no-cache") {
      lifetime = 0
    } else if let seconds = Self.maximumAge(directives) {
      lifetime = max(0, seconds - age)
    } else if let expires = headers["Expires"] {
      let sent = headers["Date"].flatMap(HTTPDate.date) ?? now
      lifetime = max(0, Self.lifetime(until: expires, since: sent) - age)
    }
  }

  private static func maximumAge(_ directives: [Substring]) -> Double? {
    for directive in directives where directive.hasPrefix("max-age=") {
      // Some servers write it between quotes (RFC 9111, 5.2).
      let value = directive.dropFirst(8).trimmingCharacters(in: ["\""])
      if let seconds = Double(value), seconds.isFinite { return seconds }
    }
    return nil
  }

  private static func lifetime(until expires: String, since start: Date) -> Double {
    // A date that cannot be read is in the past (RFC 9111, 5.3).
    HTTPDate.date(expires)?.timeIntervalSince(start) ?? 0
  }
}

import Foundation
import PortolanFiles
import PortolanTiles
import PortolanTransport
import Testing

@testable import PortolanSQLite
@testable import PortolanTileCache

/// The errors made of a failure.
@Suite struct TileCacheErrorTests {
  enum Trait: String, CaseIterable {
    /// The same may succeed a little later.
    case passes
    /// Nobody could be asked.
    case hasNoNetwork
    /// No other tile would fare better.
    case endsDownload
    /// It may be the way in which a server says that it has no such tile.
    case mayMeanAbsence
    /// Nobody answered.
    case isSilence
  }

  private static let tile = TileID(level: 1, row: 0, column: 0)

  private static let cases: [(TileCacheError, Set<Trait>)] = [
    (.cancelled, [.endsDownload]), (.diskFull(file: "f"), [.endsDownload]),
    (.storage(file: "f", reason: "r"), [.endsDownload]),
    (.busy(file: "f"), [.passes, .endsDownload]),
    (.newerCache(file: "f", version: 9), [.endsDownload]),
    (.forbidden(source: "s", reason: "r"), [.endsDownload]),
    (.levelsForbidden(source: "s", allowed: 0...9), [.endsDownload]),
    (.noServer(region: "r"), [.endsDownload]),
    (.signInNeeded("a", status: 401), [.endsDownload]),
    (.signInNeeded("a", status: 498), [.endsDownload]),
    (.signInNeeded("a", status: 403), [.mayMeanAbsence]),
    (.tooManyRequests("a", retryAfter: nil), [.passes, .endsDownload]),
    (.refused("a", status: 500), [.passes]), (.refused("a", status: 408), [.passes]),
    (.refused("a", status: 425), [.passes]), (.refused("a", status: 404), []),
    (.refused("a", status: 499), []), (.notATile("a", reason: "r"), [.passes]),
    (.nothingThere("a"), []), (.notCached(tile), []), (.noSuchRegion("r"), []),
    (.transport(.offline), [.passes, .hasNoNetwork, .endsDownload]),
    (.transport(.unknownHost("h")), [.passes, .hasNoNetwork, .endsDownload]),
    (
      .transport(.unreachable(host: "h", reason: "r")), [.passes, .hasNoNetwork, .endsDownload]
    ),
    (.transport(.untrusted(host: "h", reason: "r")), [.endsDownload]),
    (.transport(.badAddress("a")), [.endsDownload]), (.transport(.cancelled), [.endsDownload]),
    (.transport(.diskFull(file: "f", needed: nil)), [.endsDownload]),
    (.transport(.storage(file: "f", reason: "r")), [.endsDownload]),
    (.transport(.timedOut("a", phase: .stall)), [.passes, .isSilence]),
    (.transport(.interrupted("a", reason: "r")), [.passes]),
    (.transport(.tooLarge("a", limit: 1)), []),
    (.transport(.malformed("a", reason: "r")), []),
  ]

  @Test(arguments: cases)
  func `What a failure means for other tiles follows from its kind`(
    _ error: TileCacheError, _ traits: Set<Trait>
  ) {
    let found = Trait.allCases.filter { trait in
      switch trait {
      case .passes: error.isTransient
      case .hasNoNetwork: error.isWithoutNetwork
      case .endsDownload: error.endsDownload
      case .mayMeanAbsence: error.mayMeanAbsence
      case .isSilence: error.isSilence
      }
    }
    #expect(Set(found) == traits)
  }

  @Test(arguments: [
    (0...9, "s: regions may have levels 0 to 9.", "Ask for levels from 0 to 9."),
    (3...3, "s: regions may have level 3 only.", "Ask for level 3."),
  ])
  func `The levels allowed for regions are reported, even a single one`(
    _ levels: ClosedRange<Int>, _ message: String, _ advice: String
  ) {
    let error = TileCacheError.levelsForbidden(source: "s", allowed: levels)
    #expect(error.errorDescription == message && error.recoverySuggestion == advice)
  }

  @Test(arguments: [401, 403, 407, 498, 499])
  func `A status that requires authentication asks for a sign-in`(_ status: Int) {
    #expect(TileCacheError(status: status, at: "a") == .signInNeeded("a", status: status))
  }

  @Test func `A server that is asked too often says how long it is to be left alone`() {
    let error = TileCacheError(status: 429, at: "a", retryAfter: .seconds(3))
    #expect(error == .tooManyRequests("a", retryAfter: .seconds(3)))
    for status in [302, 404, 418, 500, 503] {
      #expect(TileCacheError(status: status, at: "a") == .refused("a", status: status))
    }
  }

  @Test func `A file that is another one with each answer is said to have changed`() {
    let error = TileCacheError.refused("a", status: 412)
    #expect(error.errorDescription == "a has changed while it was read.")
    #expect(error.recoverySuggestion == "Try again.")
  }

  @Test func `Errors of the cache file are classified by their remedy`() {
    let url = URL(filePath: "/c.sqlite")
    func told(_ error: any Error) -> TileCacheError { TileCacheError(error, file: url) }
    func database(_ code: DatabaseError.Code) -> TileCacheError {
      told(DatabaseError(extendedCode: code.rawValue, message: "why", sql: nil, file: "f"))
    }
    #expect(database(.full) == .diskFull(file: "/c.sqlite"))
    #expect(told(FileError.diskFull(file: "g")) == .diskFull(file: "/c.sqlite"))
    #expect(database(.busy) == .busy(file: "/c.sqlite"))
    #expect(database(.locked) == .busy(file: "/c.sqlite"))
    #expect(database(.corrupt) == .storage(file: "/c.sqlite", reason: "why"))
    #expect(told(CancellationError()) == .cancelled)
    #expect(told(TileError.cancelled) == .cancelled)
    #expect(
      told(TileError.holdsPictures(file: "t")) == .tiles(TileError.holdsPictures(file: "t")))
    #expect(told(TileCacheError.emptyRegion) == .emptyRegion)
  }
}

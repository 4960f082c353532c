import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Versions that were replaced nobody knows when, as those of a catalogue that was made anew.
@Suite(.temporaryDirectory) struct UndatedVersionTests {
  @Test func `A version before of which no day is known does not go at once`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let second = try await bed.install(info: "two", in: bed.library())
    for day in 1...5 {
      let later = LibraryBed.day.addingTimeInterval(Double(day) * 86_400)
      try await bed.library(now: later).recover()
    }
    var before = try #require(try await bed.storage.versions(of: first.id).first)
    before.replacedOn = nil
    let current = try #require(
      try await bed.storage.versions(of: first.id).first { $0.number == second.version })
    try await bed.storage.install(current, replacing: before)
    try await bed.library(now: LibraryBed.day.addingTimeInterval(6 * 86_400), retention: 3)
      .recover()
    #expect(try bed.info(of: first) == "one")
  }
}

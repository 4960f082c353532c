import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileCache

/// The tiles that were read, until that is written.
@Suite(.temporaryDirectory) struct TileReadingsTests {
  @Test func `Findings are written with the first read after half a minute`() {
    var readings = TileReadings()
    let start = ContinuousClock.now
    readings.note(nil, of: CachedSourceID(number: 1), at: start)
    readings.note(nil, of: CachedSourceID(number: 1), at: start + .seconds(20))
    #expect(!readings.isFull(at: start + .seconds(29)))
    #expect(readings.isFull(at: start + .seconds(30)))
    _ = readings.take()
    #expect(!readings.isFull(at: start + .seconds(60)))
    readings.note(nil, of: CachedSourceID(number: 1), at: start + .seconds(60))
    #expect(!readings.isFull(at: start + .seconds(61)))
  }
}

import PortolanTileCache
import Testing

@Suite struct LoadTileModeTests {
  @Test func `The modes of MapCache have its names`() {
    for name in ["cacheThenServer", "serverThenCache", "cacheOnly", "serverOnly"] {
      #expect(LoadTileMode(rawValue: name) != nil)
    }
  }
}

import PortolanApp
import PortolanTransport
import Testing

@Suite struct BackgroundSyncTests {
  private static let offline = NetworkStatus.offline(.notConnected)

  @Test(arguments: [
    (BackgroundSync.off, offline, NetworkStatus.online(isMetered: false), false),
    (.on, offline, .online(isMetered: true), true), (.on, offline, offline, false),
    (.on, .online(isMetered: true), .online(isMetered: nil), false),
    (.unmetered, offline, .online(isMetered: true), false),
    (.unmetered, offline, .online(isMetered: nil), true),
    (.unmetered, .online(isMetered: true), .online(isMetered: false), true),
    (.unmetered, .online(isMetered: nil), .online(isMetered: false), false),
  ])
  func `Maps are synchronized when a network comes that the setting allows`(
    _ setting: BackgroundSync, _ before: NetworkStatus, _ now: NetworkStatus, _ begins: Bool
  ) { #expect(setting.begins(from: before, to: now) == begins) }

  @Test func `The setting is off unless it has one of its words`() {
    #expect(Settings().backgroundSync == .off)
    #expect(Settings(flags: [.backgroundSync: "Unmetered"]).backgroundSync == .unmetered)
    let wrong = Settings(flags: [.backgroundSync: "maybe"])
    #expect(wrong.backgroundSync == .off)
    #expect(wrong.faults == [.wrongValue(.backgroundSync, origin: .flag)])
  }
}

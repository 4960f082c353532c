import Foundation
import PortolanComposition
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The surroundings that a port or a test supplies, and that reach the models.
@MainActor
@Suite(.temporaryDirectory) struct SurroundingsTests {
  private func home(_ name: String) -> HomeFolder {
    HomeFolder(
      option: temporaryDirectory.appending(path: name).path(percentEncoded: false), environment: [:]
    )
  }

  private func account(_ locale: String, _ zone: TimeZone) -> (account: LiveAccount, app: LiveApp) {
    let home = home(locale)
    var surroundings = AppSurroundings(home: home, environment: [:])
    surroundings.locale = Locale(identifier: locale)
    surroundings.timeZone = zone
    return (
      LiveAccount(home: home, environment: [:], surroundings: surroundings), LiveApp(home: home)
    )
  }

  @Test func `Two apps beside each other have the locale and the time zone they were given`()
    throws
  {
    let zurich = try #require(TimeZone(identifier: "Europe/Zurich"))
    let (german, germanApp) = account("de_CH", zurich)
    let (american, americanApp) = account("en_US", .gmt)
    let models = [germanApp.model(for: german), americanApp.model(for: american)]
    #expect(models.map { $0.package.locale?.identifier } == ["de_CH", "en_US"])
    #expect(models.map(\.package.timeZone) == [zurich, .gmt])
  }

  @Test func `What an app is given itself goes before its account's surroundings`() {
    let (account, _) = account("de_CH", .gmt)
    let app = LiveApp(
      home: home("home"), locale: Locale(identifier: "fr_FR"))
    #expect(app.model(for: account).package.locale?.identifier == "fr_FR")
    #expect(app.model().package.timeZone == .current)
  }

  @Test func `Without a locale in the environment that of the process is used`() {
    #expect(AppSurroundings(home: home("home"), environment: [:]).locale == nil)
  }

  @Test func `The free space of a home that does not exist yet is that of its disk`() {
    let home = home("missing/home")
    let surroundings = AppSurroundings(home: home, environment: [:])
    #expect(surroundings.freeSpace(home.url) ?? 0 > 0)
  }
}

public import Foundation
internal import PortolanApp
internal import PortolanDesktop
internal import PortolanFiles
internal import PortolanNetlink
public import PortolanPackages
public import PortolanPortal
public import PortolanTransport

/// The dependencies of the app on the world around it: each edge that a test, a port to another
/// platform or a program around the core may supply itself.
///
/// ```swift
/// var surroundings = AppSurroundings(home: home, environment: [:])
/// surroundings.credentials = KeychainCredentialStore()
/// let account = LiveAccount(home: home, environment: [:], surroundings: surroundings)
/// ```
public struct AppSurroundings: Sendable {
  /// Says whether there is a network.
  public var monitor: any NetworkMonitor
  /// Keeps passwords and tokens.
  public var credentials: any CredentialStore
  /// Sends requests; `nil` for libcurl, as the settings of the home folder want it.
  public var transport: (any HTTPTransport)?
  /// Listens for the browser that returns from an OAuth sign-in.
  public var redirects: any RedirectListening
  /// Returns the bytes that are free where a folder is; `nil` if that is unknown, and then nothing
  /// is refused.
  public var freeSpace: @Sendable (URL) -> Int?
  /// Measures pauses.
  public var clock: any Clock<Duration>
  /// Measures how long portals and services are waited for where what was kept of them can be shown; pauses
  /// may be skipped on ``clock``, and these not.
  public var patienceClock: any Clock<Duration>
  /// Returns the date.
  public var now: @Sendable () -> Date
  /// Returns a number from 0 up to 1, another each time.
  public var chance: @Sendable () -> Double
  /// Makes ids.
  public var makeID: @Sendable () -> UUID

  /// The time zone of dates in maps that name none.
  public var timeZone: TimeZone
  /// The locale of dates and numbers in popups; `nil` for that of documents, which is the same on
  /// every machine, as all other words of Portolan are.
  public var locale: Locale?
  /// Draws maps: ``NoDrawing`` unless it is set, as to `PictureDrawing` of PortolanRendering.
  public var drawing: any MapDrawing

  /// The world of this machine.
  ///
  /// - Parameters:
  ///   - home: The home folder, where credentials are kept if the desktop has no secret service.
  ///   - environment: The environment of the process.
  ///   - monitor: Says whether there is a network; netlink unless given.
  public init(
    home: HomeFolder, environment: [String: String], monitor: (any NetworkMonitor)? = nil
  ) {
    self.monitor = monitor ?? NetlinkNetworkMonitor()
    credentials = DesktopCredentialStore(folder: home.url, environment: environment)
    redirects = LoopbackRedirect()
    freeSpace = Self.freeSpace
    clock = ContinuousClock()
    patienceClock = ContinuousClock()
    now = { Date() }
    chance = { Double.random(in: 0..<1) }
    makeID = { UUID() }
    timeZone = .current
    drawing = NoDrawing()
  }

  /// The free bytes of the disk on which a folder is, or would be made: of the nearest folder above it
  /// that exists.
  @Sendable private static func freeSpace(at folder: URL) -> Int? {
    var place = folder.standardizedFileURL
    while !FileSystem.live.exists(place), place.pathComponents.count > 1 {
      place = place.deletingLastPathComponent()
    }
    return FreeSpace.byteCount(at: place)
  }
}

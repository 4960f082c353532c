import Foundation
import Observation
import PortolanApp
import PortolanComposition

/// Lists the areas of a web map, downloads one and follows its progress:
/// `TakeOffline HOME PORTAL WEBMAP AREA`.
@main
struct TakeOffline {
  @MainActor static func main() async throws {
    // A crash leaves no passwords behind.
    LiveProcess.prepare()
    let arguments = CommandLine.arguments
    guard arguments.count == 5 else {
      print("Usage: TakeOffline HOME PORTAL WEBMAP AREA")
      exit(2)
    }
    let environment = ProcessInfo.processInfo.environment
    let home = HomeFolder(option: arguments[1], environment: environment)
    let account = LiveAccount(home: home, environment: environment, portal: arguments[2])
    do throws(Problem) {
      let maps = try await account.library.maps()
      try await maps.add(webMap: arguments[3])
      for item in maps.state.items { print("\(item.title) (\(item.kind.rawValue))") }
      let area = try maps.item(named: arguments[4]).id
      // Works on downloads until it is cancelled; an app does this while it is in the foreground.
      let work = Task { await account.library.run() }
      defer { work.cancel() }
      try await maps.download(area)
      guard await follow(area, in: maps) else { exit(1) }
    } catch {
      print("\(error.message) \(error.suggestion ?? "")")
      exit(1)
    }
  }

  /// Prints how far the download of a row is whenever the list changes; returns whether it is
  /// stored in the end.
  @MainActor private static func follow(_ id: String, in maps: MapListModel) async -> Bool {
    for await item in Observations({ maps.state.items.first { $0.id == id } }) {
      switch item?.state {
      case .transferring(let transfer):
        // Nobody is asked here; an app shows its sign-in, and the download goes on by itself.
        if case .waiting(.signIn(let host)) = transfer.state {
          print("\(host) asks for a sign-in.")
          return false
        }
        print("\(Int((transfer.progress.fraction ?? 0) * 100)) %")
      case .failed(_, let failure):
        print("It failed: \(failure.message)")
        return false
      case .stored:
        print("\(item?.title ?? id) is on this device.")
        return true
      case .online, .available, .packaging, .packagingFailed, nil: continue
      }
    }
    return false
  }
}

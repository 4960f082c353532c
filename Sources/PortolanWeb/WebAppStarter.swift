public import Foundation
public import PortolanApp

/// Starts web apps: one that shows an app, or one on the stage of a tour.
public struct WebAppStarter: WebAppStarting {
  private let app: AppModel
  private let account: AccountScreens
  private let tour: (any TourStaging)?
  private let record: (any WebAppRecordKeeping)?

  /// Creates what starts web apps.
  ///
  /// - Parameters:
  ///   - app: What is shown.
  ///   - account: Who uses it.
  ///   - tour: Provides a demo portal, if there is one.
  ///   - record: Where it is kept which web app ran last; without it no page finds the next one.
  public init(
    app: AppModel, account: AccountScreens, tour: (any TourStaging)? = nil,
    record: (any WebAppRecordKeeping)? = nil
  ) {
    self.app = app
    self.account = account
    self.tour = tour
    self.record = record
  }

  /// Starts a web app; a problem if the port is taken, the folder cannot be read, or there is no demo
  /// portal.
  @MainActor public func start(
    port: UInt16, isDemo: Bool, watching folder: URL?
  ) async throws -> any RunningWebApp {
    guard isDemo else {
      if let folder { try await app.library?.watch(folder) }
      return try await WebApp(app, account: account, port: port, record: record)
    }
    guard let tour else {
      throw Problem(message: "This build comes without the demo portal.", kind: .absence)
    }
    let stage = try await tour.begin()
    do {
      if let folder { try await stage.app.library?.watch(folder) }
      let web = try await WebApp(
        stage.app, account: stage.account, port: port, demo: stage)
      return StagedWebApp(web: web, stage: stage)
    } catch {
      await stage.end()
      throw error
    }
  }
}

/// A web app on the stage of a tour, which goes with it.
private struct StagedWebApp: RunningWebApp {
  let web: WebApp
  let stage: any TourStage

  var url: URL { web.url }
  var urlForOneBrowser: URL { web.urlForOneBrowser }

  func run() async { await web.run() }

  func stop() async {
    await web.stop()
    await stage.end()
  }
}

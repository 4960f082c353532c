import Foundation
import PortolanApp
import PortolanComposition
import PortolanDemo
import PortolanRendering

@testable import PortolanWeb

/// Starts a web app with a demo portal and a home of its own, and ends it after `body`.
@MainActor func withDemo(_ body: (WebApp) async throws -> Void) async throws {
  let stage = try await LiveTour(environment: [:]).begin()
  let web = try await WebApp(stage.app, account: stage.account, demo: stage)
  let work = Task { await web.run() }
  do { try await body(web) } catch {
    await end(work, web, stage)
    throw error
  }
  await end(work, web, stage)
}

/// As ``withDemo(_:)``, with a browser that was let in.
@MainActor func withBrowser(_ body: (FakeBrowser) async throws -> Void) async throws {
  try await withDemo { web in try await body(try await FakeBrowser(web)) }
}

@MainActor private func end(
  _ work: Task<Void, Never>, _ web: WebApp, _ stage: any TourStage
) async {
  await web.stop()
  work.cancel()
  await work.value
  await stage.end()
}

/// A web app on a home of the test, whose portal nobody can reach.
@MainActor func withHome(
  _ home: URL, _ body: (AppModel, FakeBrowser) async throws -> Void
) async throws {
  let folder = HomeFolder(option: home.path(percentEncoded: false), environment: [:])
  let account = LiveAccount(home: folder, environment: [:], portal: "http://127.0.0.1:1")
  let app = LiveApp(home: folder, drawing: PictureDrawing()).model(for: account)
  let web = try await WebApp(app, account: account.screens)
  let work = Task { await web.run() }
  let browser = try await FakeBrowser(web)
  try await body(app, browser)
  await web.stop()
  work.cancel()
  await work.value
}

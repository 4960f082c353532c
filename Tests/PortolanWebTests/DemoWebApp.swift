import PortolanApp
import PortolanDemo

@testable import PortolanWeb

/// Starts a web app with a demo portal and a home of its own, and ends it after `body`.
@MainActor func withDemo(_ body: (WebApp) async throws -> Void) async throws {
  let stage = try await LiveTour(environment: [:]).begin()
  let web = try await WebApp(stage.app, account: stage.account, demo: StagedDemo(stage: stage))
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

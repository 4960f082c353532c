extension OfflineJobKind {
  /// Downloads a preplanned area.
  ///
  /// Packages go to `staging/<job>`, each resumed where it stopped and opened once to see whether it
  /// is sound. Then the documents of the map are written beside them, the whole is opened, and takes
  /// its place in the library. Whatever ends a run leaves what was received for the next.
  public static let preplannedArea = OfflineJobKind(
    "preplanned-area", for: DownloadPreplannedOfflineMapParameters.self,
    plan: { parameters, portal in
      try await AreaContents.load(parameters, from: portal).plan
    },
    run: { parameters, job, reporter, environment in
      try await AreaRun(
        parameters: parameters, job: job, reporter: reporter, environment: environment
      ).run()
    })
}

extension DownloadPreplannedOfflineMapParameters: OfflineJobParameters {
  public static var kind: OfflineJobKind { .preplannedArea }

  public var subject: String { area }
}

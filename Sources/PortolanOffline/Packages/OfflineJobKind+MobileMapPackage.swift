extension OfflineJobKind {
  /// Downloads a mobile map package of a portal.
  ///
  /// The package goes to `staging/<job>`, resumed where it stopped, is opened to see whether it is
  /// sound, and takes its place in the library as one file.
  public static let mobileMapPackage = OfflineJobKind(
    "mobile-map-package", for: DownloadMobileMapPackageParameters.self,
    plan: { parameters, portal in
      try await PublishedPackage.load(parameters, from: portal).plan
    },
    run: { parameters, job, reporter, environment in
      try await PackageRun(
        parameters: parameters, job: job, reporter: reporter, environment: environment
      ).run()
    })
}

extension DownloadMobileMapPackageParameters: OfflineJobParameters {
  public static var kind: OfflineJobKind { .mobileMapPackage }

  public var subject: String { item }
}

internal import PortolanApp
internal import PortolanJobs

/// Works on downloads beside a prompt, and tells there what becomes of them.
@MainActor
final class JobAnnouncer {
  private let session: Session
  private var news = JobNews()

  init(session: Session) { self.session = session }

  /// Works until the task is cancelled.
  func run() async {
    await session.app.library?.run { [self] jobs in
      for line in news.lines(jobs) { session.presenter.note(line) }
      session.offerWords()
    }
  }
}

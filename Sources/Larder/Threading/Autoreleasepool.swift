/// Runs the body. There are no autorelease pools without Objective-C; the function lets shared code keep its form.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

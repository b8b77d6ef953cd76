/* SPDX-License-Identifier: MIT
 * __SANITIZE_ADDRESS__ and __SANITIZE_THREAD__, which GCC defines in builds with these sanitizers, by clang too: older ones answer __has_feature() alone. */
#pragma once

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif
